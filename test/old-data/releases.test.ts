import { testReleaseUpgrades } from './release-traffic.ts'

testReleaseUpgrades({ orderCount: 300, releaseCount: 4 })
