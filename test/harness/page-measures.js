/** Measurements that run in the page: page-suite.ts evaluates this file as text. */

/**
 * Returns what a reader sees as broken on a wide page: tables and buttons whose content does not fit, selects
 * that cut off their choice, ids and resources that take two lines, and hints that touch what they describe.
 */
globalThis.layoutDefects = () => {
  const defects = []
  const all = (selector) => [...document.querySelectorAll(selector)]
  const textOf = (element) => (element.textContent ?? '').trim().slice(0, 60)
  for (const table of all('.surface .table')) {
    const card = table.closest('.surface').getBoundingClientRect()
    if (table.getBoundingClientRect().right > card.right + 1)
      defects.push(`wider than its card: ${table.ariaLabel}`)
  }
  for (const label of all('.mantine-Button-label')) {
    if (label.scrollWidth > label.clientWidth) defects.push(`cut off: ${textOf(label)}`)
  }
  const pen = document.createElement('canvas').getContext('2d')
  for (const select of all('select')) {
    const style = getComputedStyle(select)
    pen.font = style.font
    const padding = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight)
    const choice = select.selectedOptions[0]?.text ?? ''
    if (select.clientWidth > 0 && pen.measureText(choice).width > select.clientWidth - padding + 1)
      defects.push(`cut off: ${choice}`)
  }
  for (const code of all('.table td .mono')) {
    const range = document.createRange()
    range.selectNodeContents(code)
    const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
    if (/^[\w./-]+$/.test(textOf(code)) && tops.size > 1) defects.push(`two lines: ${textOf(code)}`)
  }
  for (const hint of all('.mantine-InputWrapper-description')) {
    const before = hint.previousElementSibling?.getBoundingClientRect()
    if (before && hint.getBoundingClientRect().top - before.bottom < 3)
      defects.push(`touches what it describes: ${textOf(hint)}`)
  }
  return defects
}

/** Returns the lowest contrast of each kind of control on the page with what lies behind it. */
globalThis.controlContrasts = () => {
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const channelsOf = (color) => {
    pen.clearRect(0, 0, 1, 1)
    pen.fillStyle = color
    pen.fillRect(0, 0, 1, 1)
    return [...pen.getImageData(0, 0, 1, 1).data]
  }
  const luminanceOf = (color) => {
    const [r, g, b] = channelsOf(color).map((value) => {
      const share = value / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const backgroundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor
      if (channelsOf(color)[3] > 250) return color
    }
    return 'white'
  }
  const contrasts = {}
  const add = (kind, color, background) => {
    const [light, dark] = [luminanceOf(color), luminanceOf(background)].sort((x, y) => y - x)
    contrasts[kind] = Math.min(contrasts[kind] ?? 21, (light + 0.05) / (dark + 0.05))
  }
  const forEachElement = (selector, measure) => {
    for (const element of document.querySelectorAll(selector))
      measure(element, getComputedStyle(element))
  }
  forEachElement('.mantine-Input-input', (input, { borderTopColor }) => {
    add('border of fields', borderTopColor, backgroundOf(input.parentElement))
    add('placeholders', getComputedStyle(input, '::placeholder').color, backgroundOf(input))
  })
  forEachElement('.mantine-Checkbox-input:not(:checked)', (box, { borderTopColor }) => {
    add('border of checkboxes', borderTopColor, backgroundOf(box.parentElement))
  })
  forEachElement('input:not(:checked) + .mantine-Switch-track', (track, { backgroundColor }) => {
    add('switches', backgroundColor, backgroundOf(track.parentElement))
    const thumb = getComputedStyle(track.querySelector('.mantine-Switch-thumb'))
    add('knobs of switches', thumb.backgroundColor, backgroundColor)
  })
  forEachElement('.mantine-InputWrapper-required', (mark, { color }) => {
    add('required marks', color, backgroundOf(mark))
  })
  forEachElement('.swatch', (swatch, { backgroundColor }) => {
    add('bars', backgroundColor, backgroundOf(swatch.parentElement))
  })
  return contrasts
}
