import { type Role, ROLES } from '../../../core/kernel/index.js';
import type { CompiledRoute } from '../http/compiled-route.js';

/** Which role may call which route, as the guard enforces it: printed from the same contracts. */
export interface AccessTable {
  readonly roles: readonly Role[];
  readonly routes: readonly {
    readonly method: string;
    readonly path: string;
    readonly summary: string;
    readonly access: 'public' | 'optional' | readonly Role[];
    /** Of a route whose access is optional: what a key may be that is sent all the same. */
    readonly key_roles?: readonly Role[];
    readonly idempotency: 'none' | 'optional' | 'required';
  }[];
}

export const accessTable = (routes: readonly CompiledRoute[]): AccessTable => ({
  roles: ROLES,
  routes: routes.map(({ contract: { method, path, summary, access, keyRoles, idempotency } }) => ({
    method,
    path,
    summary,
    access,
    ...(keyRoles === undefined ? {} : { key_roles: keyRoles }),
    idempotency,
  })),
});

type AccessRow = AccessTable['routes'][number];

const keyRolesOf = ({ access, key_roles = [] }: AccessRow): readonly Role[] =>
  access === 'public' || access === 'optional' ? key_roles : access;

/** What each role is for, in words for whoever hands out keys. */
const ROLE_PURPOSES: Readonly<Record<Role, string>> = {
  tenant_admin: 'everything of its tenant, keys and limits included; reports no captures',
  operator: 'day-to-day work: switches, revocations, registering; changes no keys and no limits',
  auditor: 'reads everything, the ledger included; changes nothing',
  merchant_system: 'the own backend of merchants: their decisions, captures and facts',
  agent: 'asks for decisions as one agent; sees no trace, no simulation and no limits',
  psp: 'a payment provider: reports captures and evidence, and what became of payments and refunds that no rail of this service moves',
  platform_admin: 'makes tenants; is no key of a tenant but the setting PLATFORM_ADMIN_KEY',
};

/** The table as a page for people. */
export function printAccessPage({ roles, routes }: AccessTable): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    '# Who may call which route',
    '',
    'Generated from the route contracts (`npm run generate`); the guard enforces the same data. The running service',
    'publishes it at `GET /v1/access`. A key of one tenant never reaches another tenant, whatever its role. Where the',
    'Idempotency-Key is optional, `POST /v1/decisions` still asks for it when the flow is `refund`.',
    '',
    row(['Role', 'What it is for']),
    row(['---', '---']),
    ...roles.map((role) => row([`\`${role}\``, ROLE_PURPOSES[role]])),
    '',
    row(['Route', 'public', ...roles, 'Idempotency-Key']),
    row(['---', ...Array.from({ length: roles.length + 1 }, () => ':-:'), '---']),
    ...routes.map((route) =>
      row([
        `\`${route.method} ${route.path}\``,
        route.access === 'public' || route.access === 'optional' ? 'yes' : '',
        ...roles.map((role) => (keyRolesOf(route).includes(role) ? 'yes' : '')),
        route.idempotency,
      ]),
    ),
    '',
  ].join('\n');
}
