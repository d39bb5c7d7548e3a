import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from './network.ts'

test('limits count IPv4 by address and IPv6 by /64, however the address is written', () => {
  const cases: [address: string | undefined, network: string][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['127.0.0.1', '127.0.0.1'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['203.0.113.7:51234', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:0000:0000:0000:0001', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::A', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::a]:443', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::a]', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['2001:db8::1', '2001:db8::/64'],
    ['::1', '::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['fe80::2%2', 'fe80::/64'],
    ['[fe80::2%eth1]:8080', 'fe80::/64'],
    ['unknown', 'unknown'],
    ['_hidden', 'unknown'],
    ['', 'unknown'],
    ['127.1', 'unknown'],
    ['0x7f.0.0.1', 'unknown'],
    ['203.0.113.7, 198.51.100.1', 'unknown'],
    [undefined, 'unknown'],
  ]
  for (const [address, network] of cases) assert.equal(networkOf(address), network, String(address))
})
