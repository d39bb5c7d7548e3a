import { testReleases } from './release-traffic.ts'

testReleases({ orderCount: 300, releaseCount: 4 })
