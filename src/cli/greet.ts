import { issueToken } from '../identity/tokens.ts'
import type { Context } from '../platform/context.ts'
import { demoSellers } from '../sandbox/demo/people.ts'
import { demoApplication, demoBuyerId, demoFirstId, demoSellerId } from '../sandbox/demo/world.ts'
import { demoApplicationSecret, demoPassword, demoRedirectUris } from '../sandbox/seed.ts'
import { findPaidOrder, hasDemo } from '../sandbox/store.ts'

const halfYearSeconds = 180 * 24 * 3600

type Say = (line: string) => void

/** What a newcomer needs to begin: where it is, who to be, and lines to paste. */
export async function greet(
  ctx: Context,
  { address, say }: { address: string; say: Say },
): Promise<void> {
  const { operatorToken } = ctx.config
  say(`\nFeria is ready at ${address}   reference page: ${address}/docs`)
  if (ctx.config.mode === 'sandbox') {
    say(`\n  operator's token     ${operatorToken}`)
    const isDemo = await hasDemo(ctx.db, demoApplication.id)
    if (isDemo) await introduceDemo(ctx, { address, say })
    else {
      say('\nThere is no demo world here. Register a user to begin:\n')
      say(`  curl -X PUT -H 'Authorization: Bearer ${operatorToken}' \\`)
      say(`    -H 'Content-Type: application/json' -d '{"site_id":"MLA","nickname":"TIENDA"}' \\`)
      say(`    ${address}/operator/users/1`)
    }
  }
  say('\nCtrl-C stops it; what happened stays for the next start.\n')
}

async function introduceDemo(
  ctx: Context,
  { address, say }: { address: string; say: Say },
): Promise<void> {
  const tokenOf = (userId: number) =>
    issueToken(ctx, {
      userId,
      applicationId: demoApplication.id,
      scopes: ['read', 'write'],
      lifeSeconds: halfYearSeconds,
    })
  const seller = await tokenOf(demoSellerId)
  const buyer = await tokenOf(demoBuyerId)
  const order = await findPaidOrder(ctx.db, {
    ...{ sellerId: demoSellerId, buyerId: demoBuyerId },
    // It has something of everything.
    id: demoFirstId.order,
  })
  say(`  demo application     ${demoApplication.id}   secret ${demoApplicationSecret}`)
  say(`  demo seller          ${demoSellerId}   token ${seller}`)
  say(`  demo buyer           ${demoBuyerId}   token ${buyer}`)
  say(`  sign in              ${address}/login   password ${demoPassword}`)
  say('\nTo paste into another terminal:\n')
  say(`  ORDER=${order?.id} TALK=${order?.packId} OPERATOR=${ctx.config.operatorToken}`)
  say(`  APPLICATION=${demoApplication.id}`)
  say(`  SELLER=${seller}`)
  say(`  BUYER=${buyer}`)
  say(`  curl -H "Authorization: Bearer $SELLER" ${address}/orders/$ORDER`)
  say(`  curl -H "Authorization: Bearer $BUYER" -H 'x-format-new: true' ${address}/orders/$ORDER`)
  say(
    `  curl -H "Authorization: Bearer $SELLER" "${address}/orders/search?seller=${demoSellerId}&tags=paid&limit=5"`,
  )
  say(
    `  curl -H "Authorization: Bearer $SELLER" "${address}/messages/packs/$TALK/sellers/${demoSellerId}?tag=post_sale"`,
  )
  say(`  curl -X PATCH -H "Authorization: Bearer $OPERATOR" -H 'Content-Type: application/json' \\`)
  say(`    -d '{"comments":"gift wrapped"}' ${address}/operator/orders/$ORDER`)
  say(`  curl -H "Authorization: Bearer $SELLER" "${address}/myfeeds?app_id=$APPLICATION"`)
  const asks = new URLSearchParams({
    response_type: 'code',
    client_id: String(demoApplication.id),
    redirect_uri: demoRedirectUris[0],
    state: 'x',
  })
  say(`\nTo be asked for access, in a browser (nickname ${demoSellers[0]?.user.nickname}):\n`)
  say(`  ${address}/authorization?${asks}`)
}
