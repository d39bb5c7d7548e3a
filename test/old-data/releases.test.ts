import { testReleaseUpgrades } from './release-traffic.ts'

testReleaseUpgrades({ orderCount: 220, releaseCount: 4 })
