import type { ValueOf } from '../../client/index.js';
import type { Shelf } from '../shelf.js';
import { printFields } from '../table.js';
import { parseId, parseLabel, parseWord, reading } from '../values.js';
import { secretPlace, type SecretPlace, withKeyOut } from './secret-file.js';

type Tenant = ValueOf<'get', '/v1/tenant'>;

interface CreateOptions extends SecretPlace {
  readonly world: 'test' | 'live';
  readonly name: string;
  readonly sibling?: string;
  readonly callerAsserted?: boolean;
}

export function addTenants({ program, online }: Shelf): void {
  const tenants = program.command('tenants').description('the organisations of the service');
  withKeyOut(
    tenants
      .command('create')
      .description('make a tenant (with the key of the platform administrator)')
      .requiredOption('--world <world>', 'test or live', reading(parseWord(['test', 'live'])))
      .requiredOption('--name <name>', 'for people', reading(parseLabel))
      .option('--sibling <tenant>', 'its tenant of the other world', reading(parseId('tnt')))
      .option('--caller-asserted', 'rules may look at what a caller only asserts (test world)'),
  ).action(
    online<CreateOptions>(async (session, { options }) => {
      const place = secretPlace(session, options);
      if (!place.ok) return place.error;
      const answer = await session.client.post('/v1/tenants', {
        body: {
          world: options.world,
          name: options.name,
          sibling_tenant_id: options.sibling ?? null,
          caller_asserted_allowed: options.callerAsserted ?? false,
        },
      });
      if (!answer.ok) return session.fail(answer.failure);
      const { tenant, admin_api_key: key } = answer.value;
      const shown = place.value.keep(key);
      session.show({ tenant, admin_api_key: shown }, `${tenantText(tenant)}\n${keyText(shown)}`);
      return place.value.exit();
    }),
  );
  tenants
    .command('show')
    .description('the tenant of this key')
    .action(
      online(async (session) =>
        session.finish(await session.client.get('/v1/tenant'), { text: tenantText }),
      ),
    );
}

const tenantText = (tenant: Tenant): string =>
  printFields([
    ['tenant', tenant.tenant_id],
    ['world', tenant.world],
    ['name', tenant.name],
    ['sibling', tenant.sibling_tenant_id],
    ['caller asserted', tenant.caller_asserted_allowed ? 'allowed' : 'not allowed'],
    ['origin', tenant.primary_origin],
  ]);

const keyText = (key: { readonly api_key_id: string; readonly api_key: string | null }): string =>
  printFields([
    ['admin key', key.api_key_id],
    ['secret', key.api_key],
  ]);
