import { tokenScopes } from '../../http/scopes.ts'
import { findApplication } from '../../identity/store.ts'
import { issueToken } from '../../identity/tokens.ts'
import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/database/errors.ts'
import { demoApplication, demoBuyerId, demoSellerId, firstDemoIds } from '../../sandbox/demo/ids.ts'
import { demoApplicationSecret, demoPassword, demoRedirectUris } from '../../sandbox/demo/load.ts'
import { demoSellers } from '../../sandbox/demo/users.ts'
import { findPaidOrder } from '../../sandbox/read-model.ts'
import type { Output } from '../frame/output.ts'

const halfYearSeconds = 180 * 24 * 3600

/** Prints the address and, in a sandbox, the operator token, demo users with tokens, and commands to paste. */
export async function printWelcome(
  ctx: Context,
  { address, out }: { address: string; out: Output },
): Promise<void> {
  const { operatorToken, mode } = ctx.config
  const isSandbox = mode === 'sandbox'
  // A server that is ready does not end because a part of the database cannot be written, such as a node of a cluster.
  const demo = isSandbox ? await findDemo(ctx).catch(ignoreUnavailable) : undefined
  const greeting = {
    ready: true,
    address,
    mode,
    // Production prints no token: its output is kept in logs.
    ...(isSandbox ? { operator_token: operatorToken, demo: demo ?? null } : {}),
  }
  out.printResult(greeting, () => [
    `\nFeria is ready at ${address}   console: ${address}/console   reference page: ${address}/docs`,
    ...(isSandbox ? [`\n  operator token       ${operatorToken}`] : []),
    ...(demo ? demoLines(demo, { address, operatorToken }) : []),
    ...(isSandbox && !demo ? firstUserLines({ address, operatorToken }) : []),
    '\nPress Ctrl-C to stop. All data is kept for the next start.\n',
  ])
}

type Access = { address: string; operatorToken: string }

function firstUserLines({ address, operatorToken }: Access): string[] {
  return [
    '\nThis sandbox has no demo data. To begin, register a user:\n',
    `  curl -X PUT -H 'Authorization: Bearer ${operatorToken}' \\`,
    `    -H 'Content-Type: application/json' -d '{"site_id":"MLA","nickname":"TIENDA"}' \\`,
    `    ${address}/operator/users/1`,
  ]
}

async function findDemo(ctx: Context) {
  return (await findApplication(ctx.db, demoApplication.id)) ? describeDemo(ctx) : undefined
}

function ignoreUnavailable(error: unknown): undefined {
  if (!isUnavailable(error)) throw error
}

type Demo = Awaited<ReturnType<typeof describeDemo>>

/** Returns the demo application, seller and buyer with tokens for half a year, and a paid order. */
async function describeDemo(ctx: Context) {
  const tokenOf = (userId: number) =>
    issueToken(ctx, {
      userId,
      applicationId: demoApplication.id,
      scopes: tokenScopes,
      lifeSeconds: halfYearSeconds,
    })
  const order = await findPaidOrder(ctx.db, {
    sellerId: demoSellerId,
    buyerId: demoBuyerId,
    // The first demo order has discounts, a pack, a shipment and messages.
    id: firstDemoIds.order,
  })
  return {
    application: { id: demoApplication.id, secret: demoApplicationSecret },
    seller: { id: demoSellerId, access_token: await tokenOf(demoSellerId) },
    buyer: { id: demoBuyerId, access_token: await tokenOf(demoBuyerId) },
    order_id: order?.id ?? null,
    pack_id: order?.packId ?? null,
    password: demoPassword,
  }
}

/** Renders the demo data's tokens and first calls. */
function demoLines(demo: Demo, { address, operatorToken }: Access): string[] {
  const { application, seller, buyer } = demo
  const search = `${address}/orders/search?seller=${seller.id}&tags=paid&limit=5`
  const authorizationQuery = new URLSearchParams({
    response_type: 'code',
    client_id: String(application.id),
    redirect_uri: demoRedirectUris[0],
    state: 'x',
  })
  const conversation = `${address}/messages/packs/$TALK/sellers/${seller.id}?tag=post_sale`
  return [
    `  demo application     ${application.id}   secret ${application.secret}`,
    `  demo seller          ${seller.id}   token ${seller.access_token}`,
    `  demo buyer           ${buyer.id}   token ${buyer.access_token}`,
    `  sign in              ${address}/login   password ${demo.password}`,
    '\nPaste this into another terminal:\n',
    `  ORDER=${demo.order_id} TALK=${demo.pack_id} OPERATOR=${operatorToken}`,
    `  APPLICATION=${application.id}`,
    `  SELLER=${seller.access_token}`,
    `  BUYER=${buyer.access_token}`,
    `  curl -H "Authorization: Bearer $SELLER" ${address}/orders/$ORDER`,
    `  curl -H "Authorization: Bearer $BUYER" -H 'x-format-new: true' ${address}/orders/$ORDER`,
    `  curl -H "Authorization: Bearer $SELLER" "${search}"`,
    `  curl -H "Authorization: Bearer $SELLER" "${conversation}"`,
    `  curl -X PATCH -H "Authorization: Bearer $OPERATOR" -H 'Content-Type: application/json' \\`,
    `    -d '{"comments":"gift wrapped"}' ${address}/operator/orders/$ORDER`,
    // The demo application has no callback URL, so its feed is empty: this says what to do.
    `  curl -H "Authorization: Bearer $SELLER" "${address}/applications/$APPLICATION/notifications/explain?resource=/orders/$ORDER"`,
    `\nTo see the authorization page, open this in a browser (nickname ${demoSellers()[0]?.user.nickname}):\n`,
    `  ${address}/authorization?${authorizationQuery}`,
  ]
}
