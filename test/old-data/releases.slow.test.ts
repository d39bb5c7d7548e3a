import { testReleaseUpgrades } from './release-traffic.ts'

// Five batches of the filing loop in each release. `RELEASE_ORDERS=20000` takes seven minutes.
const orderCount = Number(process.env['RELEASE_ORDERS'] ?? 1_000)

testReleaseUpgrades({ orderCount, releaseCount: 10 })
