import assert from 'node:assert/strict'
import { contract } from '../../test/harness/contract.ts'
import { countGraphemes, isSupported, normalizeMessageText } from './text.ts'

const family = '👨‍👩‍👧‍👦'

const texts: [text: string, isSupported: boolean][] = [
  ['Hola, ¿cómo está? Año nuevo: ñandú, açaí, ÿ ß £ § ½', true],
  ['Uno\ndos\r\ntres\tcuatro', true],
  ['👍 🇦🇷 🏳️‍🌈 1️⃣ 👋🏽', true],
  [family, true],
  ['©®™️', true],
  ['™', true],
  ['❤', true],
  ['☎ ✔', true],
  ['👁‍🗨', true],
  ['— “comillas” …', false],
  ['€', false],
  ['Привет', false],
  ['你好', false],
  ['→', false],
  ['\u0007', false],
  ['\u0085', false],
  ['a\u200bb', false],
  ['a\u0301', false],
  ['👍\u0301', false],
  ['\ufe0f', false],
  ['1\u20e3\u20e3', false],
  ['👍🏽🏽', false],
  ['', true],
]
for (const [text, expected] of texts) {
  contract(
    ['4.2', '7.3', '8', 'messages'],
    `${JSON.stringify(text)} is ${expected ? '' : 'not '}text that a message may have`,
    () => {
      assert.equal(isSupported(text), expected)
    },
  )
}

contract('4.2', 'letters that were typed with their accents apart are those of ISO-8859-1', () => {
  assert.equal(normalizeMessageText('Perdo\u0301n, man\u0303ana', 'seller'), 'Perdón, mañana')
})

contract(
  ['8', 'messages'],
  'a family is one character, and so is a flag; lines end in one or two',
  () => {
    const lengths: [string, number][] = [
      [family, 1],
      ['🇦🇷🇧🇷', 2],
      ['a\nb', 3],
      ['a\r\nb', 4],
      ['ñ', 1],
    ]
    for (const [text, length] of lengths) assert.equal(countGraphemes(text), length, text)
  },
)

contract(
  ['1', '4.2', '7.3', '8', 'messages'],
  'a seller writes 350 characters and a buyer 3,500, not one more',
  () => {
    const limits = [
      ['seller', 350],
      ['buyer', 3_500],
    ] as const
    for (const [writer, limit] of limits) {
      for (const one of ['x', 'ñ', '👍', family]) {
        assert.equal(normalizeMessageText(one.repeat(limit), writer), one.repeat(limit))
        assert.throws(() => normalizeMessageText(one.repeat(limit + 1), writer), {
          code: 'message_too_long',
          message: `The message content is too long, max characters allowed are ${limit}`,
        })
      }
    }
  },
)

contract(['7.3', 'errors'], 'what is not supported is refused before what is too long', () => {
  assert.throws(() => normalizeMessageText('€'.repeat(400), 'seller'), { code: 'unsupported_text' })
})

contract(
  ['8', 'messages'],
  'emoji of every kind, single or put together, are text and one character long',
  () => {
    const all = Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code))
    const drawn = all.filter((one) => /^(?!\p{RI})\p{Emoji_Presentation}$/u.test(one))
    const asText = all.filter((one) => /^(?!\p{Emoji_Presentation})\p{Emoji}$/u.test(one))
    const signs = asText.filter((one) => /[#*\d]/.test(one))
    // A family of one sign has no tones: that is not for general interchange.
    const based = all.filter((one) => /^\p{Emoji_Modifier_Base}$/u.test(one) && one !== '👪')
    const tones = ['🏻', '🏼', '🏽', '🏾', '🏿']
    const people = ['👩', '👨', '🧑'].flatMap((one) => ['', ...tones].map((tone) => one + tone))
    const works = '🌾 🍳 🎓 🎤 🏫 🏭 💻 💼 🔧 🔬 🚀 🚒 ⚕️ ⚖️ ✈️'.split(' ')
    const countries = 'UY SV VE PA GT DO BO CO BR EC HN PE AR CL CU MX CR PY PT NI'.split(' ')
    const flagOf = (country: string) =>
      [...country].map((letter) => String.fromCodePoint(0x1f1a5 + letter.charCodeAt(0))).join('')
    const emoji = [
      ...drawn,
      ...asText.filter((one) => !signs.includes(one)).map((one) => `${one}\ufe0f`),
      ...signs.map((one) => `${one}\ufe0f\u20e3`),
      ...based.flatMap((one) => tones.map((tone) => one + tone)),
      ...people.flatMap((one) => works.map((work) => `${one}\u200d${work}`)),
      ...countries.map(flagOf),
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      ...'🏳️‍🌈 🏴‍☠️ 👨‍❤️‍💋‍👨 🧔🏽‍♀️ 🐻‍❄️ ❤️‍🔥'.split(' '),
    ]
    assert.ok(emoji.length > 2_300, `${emoji.length}`)
    assert.deepEqual(
      emoji.filter((one) => !isSupported(one) || countGraphemes(one) !== 1),
      [],
    )
  },
)
