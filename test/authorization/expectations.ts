/**
 * Who calls. "ana" is the seller A, whose things the paths name, and the owner of the application.
 *
 * | caller | token |
 * |---|---|
 * | none | no token |
 * | stranger | another seller, in person |
 * | guest | that other seller by the application of ana's |
 * | elsewhere | ana by another application that she has authorised |
 * | user | ana by the application |
 * | user:r, user:w | the same, for reading or for writing only |
 * | client | the application itself (client credentials), in the name of its owner |
 * | client:r, client:w | the same, for reading or for writing only |
 * | owner | ana in person: a token that names no application |
 * | revoked, expired | ana's, no more |
 * | operator | the operator's token where a user's belongs |
 */
const table = `
class              none stranger guest elsewhere user user:r user:w client client:r client:w owner revoked expired operator
public             ok   ok       ok    ok        ok   ok     ok     ok     ok       ok       ok    ok      ok      ok
mixed              ok   ok       ok    ok        ok   ok     403    ok     ok       403      ok    401     401     401
of-caller-read     401  ok       ok    ok        ok   ok     403    ok     ok       403      ok    401     401     401
of-caller-write    401  ok       ok    ok        ok   403    ok     ok     403      ok       ok    401     401     401
of-user-read       401  403      403   ok        ok   ok     403    ok     ok       403      ok    401     401     401
of-user-write      401  403      403   ok        ok   403    ok     ok     403      ok       ok    401     401     401
hidden-read        401  404      404   ok        ok   ok     403    ok     ok       403      ok    401     401     401
hidden-write       401  404      404   ok        ok   403    ok     ok     403      ok       ok    401     401     401
grant-write        401  403      403   403       ok   403    ok     ok     403      ok       ok    401     401     401
message-write      400  400      403   ok        ok   403    ok     ok     403      ok       400   401     401     401
guide-write        401  400      403   ok        ok   403    ok     ok     403      ok       400   401     401     401
in-person-read     401  ok       403   403       403  403    403    403    403      403      ok    401     401     401
in-person-write    401  ok       403   403       403  403    403    403    403      403      ok    401     401     401
owner-write        401  403      403   403       403  403    403    403    403      403      ok    401     401     401
whole-read         401  403      403   403       403  403    403    ok     ok       403      ok    401     401     401
whole-write        401  403      403   403       403  403    403    ok     403      ok       ok    401     401     401
application-read   401  403      ok    403       ok   ok     403    ok     ok       403      ok    401     401     401
application-write  401  403      403   403       ok   403    ok     ok     403      ok       ok    401     401     401
operator           401  401      401   401       401  401    401    401    401      401      401   401     401     ok
`

/** What each class is. */
export const accessClasses = {
  public: 'needs no credential, and looks at none',
  mixed: 'is there for everybody; a token that comes along must be good for reading',
  'of-caller-read': 'is about whoever calls, or about what everybody with a token may see',
  'of-caller-write': 'makes something of the caller’s own',
  'of-user-read': 'names a user’s order, pack or account: its parties only',
  'of-user-write': 'changes a user’s order or item: its parties only',
  'hidden-read': 'names a thing by an id of its own: to all but its parties it is not there',
  'hidden-write': 'changes such a thing: to all but its parties it is not there',
  'grant-write': 'ends what one application may do: by that application, or by its user in person',
  'message-write': 'writes a message: refusals as the contract has them, in its order',
  'guide-write': 'writes by the action guide, which needs an application too',
  'in-person-read': 'lists the caller’s applications: no application manages what its user owns',
  'in-person-write': 'makes an application of the caller’s',
  'owner-write': 'changes settings, secrets and tokens of an application: its owner in person',
  'whole-read': 'reads or hears an application as a whole: its owner in person, or itself',
  'whole-write': 'changes an application as a whole: its owner in person, or itself',
  'application-read':
    'reads the public part, a feed or an explanation: any token of the application',
  'application-write':
    'sends what is about the token’s user once more: any token of the application',
  operator: 'takes the operator’s token and no user’s',
} as const

export type AccessClass = keyof typeof accessClasses

const [head = '', ...rows] = table.trim().split('\n')
const [, ...columns] = head.split(/ +/)

export type CallerKind =
  | 'none'
  | 'stranger'
  | 'guest'
  | 'elsewhere'
  | 'user'
  | 'user:r'
  | 'user:w'
  | 'client'
  | 'client:r'
  | 'client:w'
  | 'owner'
  | 'revoked'
  | 'expired'
  | 'operator'
export const callerKinds = columns as CallerKind[]

/** The status that a caller meets, or `ok` for whatever the operation answers when it is done. */
export type ExpectedStatus = 'ok' | 400 | 401 | 403 | 404

const expectations = new Map(
  rows.map((row) => {
    const [name = '', ...cells] = row.split(/ +/)
    return [name, cells.map((cell) => (cell === 'ok' ? cell : Number(cell)))]
  }),
)

export function expectedStatusOf(name: AccessClass, caller: CallerKind): ExpectedStatus {
  return expectations.get(name)?.[callerKinds.indexOf(caller)] as ExpectedStatus
}
