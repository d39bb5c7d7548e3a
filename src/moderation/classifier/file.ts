import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { memoized } from '../../kernel/memoized.ts'
import { parseModel } from './model.ts'

/** Written by `npm run train:moderation`; package data, as the word lists are. */
export const modelFile = fileURLToPath(new URL('../../../moderation/model.bin.gz', import.meta.url))

/** Returns the trained model. Reads its file at the first call. */
export const classifierModel = memoized(() => parseModel(readFileSync(modelFile)))
