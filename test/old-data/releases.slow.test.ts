import { testReleases } from './release-traffic.ts'

testReleases({ orderCount: 20_000, releaseCount: 10 })
