import { siteRule } from '../http/site-rule.ts'
import { pathId } from '../kernel/ids.ts'
import { requireItem } from '../listings/site-rules.ts'
import { questionNotFound } from './commands.ts'
import { loadQuestion } from './routes.ts'

/** The listing of a question is on the sites. */
export const siteOfQuestion = siteRule('listing', async (request) => {
  const id = pathId('question_id', request.params['question_id'] ?? '')
  const { itemId } = await loadQuestion(request.ctx.db, id)
  await requireItem(request, itemId, questionNotFound(id))
})
