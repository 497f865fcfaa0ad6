import { ServerCallContext } from '@a2a-js/sdk/server';
import type { KeyWrapping } from '../../base/keys/index.js';
import {
  type ArrivalContext,
  type CallerContext,
  keyRefused,
  type Queryable,
} from '../../base/platform/index.js';
import type { Origins } from '../../base/tenants/index.js';
import { err, ok, problem, type Problem, type Result } from '../../core/kernel/index.js';
import type { ShopReading } from '../../trust/facts/index.js';
import type { Desk } from '../api/decisions/index.js';
import { AgentCall } from './agent-call.js';
import { cardOf, DECISION_EXTENSION } from './card.js';
import { KeptTasks } from './kept-tasks.js';
import { REFERENCES_MAX } from './limits.js';
import { PushConfigs } from './push-configs.js';
import { type Asker, answerWish } from './skills.js';
import type { Viewer } from './tasks.store.js';
import { Turns } from './turns.js';
import type { Version } from './version.js';

export interface ShopAgentsParts {
  readonly database: Queryable;
  readonly origins: Origins;
  readonly desk: Desk;
  readonly shop: ShopReading;
  readonly wrapping: KeyWrapping;
  readonly allowLoopbackPeers: boolean;
  readonly nowMs: () => number;
}

/** A call that found its shop: who answers it, and what the SDK is told of it. */
export interface OpenCall {
  readonly agent: AgentCall;
  readonly context: ServerCallContext;
  /** Extensions that were asked for and are known here: they are told back (A2A-Extensions). */
  readonly activated: readonly string[];
}

/** The agents of all shops. Which one is called, the host name says; a key of another shop counts for nothing there. */
export class ShopAgents {
  readonly #turns = new Turns();

  constructor(private readonly parts: ShopAgentsParts) {}

  /** Problem: misdirected_request. Throws a refusal of the key when it is another tenant's. */
  async open(
    { host, headers, caller }: ArrivalContext,
    version: Version,
  ): Promise<Result<OpenCall, Problem>> {
    const { database, origins } = this.parts;
    const site = await origins.siteByHost(host);
    if (!site.ok) return err(site.error);
    const { tenantId, origin } = site.value;
    if (caller !== null && caller.principal.tenantId !== tenantId) throw keyRefused(KEY_OF_ANOTHER);
    const known = caller === null ? null : { caller, viewer: viewerOf(caller) };
    const asker: Asker = { tenantId, shopUrl: origin, known };
    const parts = { ...this.parts, turns: this.#turns };
    const agent = new AgentCall({
      card: cardOf({ origin, name: '' }),
      tasks: new KeptTasks(database, known?.viewer ?? null),
      pushConfigs: known === null ? null : new PushConfigs(this.parts, pushOwnerOf(known, version)),
      skills: (wish, message) => answerWish(parts, asker, { wish, message }),
    });
    const requested = extensionsOf(headers, version);
    const context = new ServerCallContext({
      requestedVersion: version,
      requestedExtensions: requested,
      user: { isAuthenticated: known !== null, userName: known?.viewer.callerId ?? '' },
    });
    const activated = requested.filter((uri) => uri === DECISION_EXTENSION);
    return ok({ agent, context, activated });
  }
}

/** An agent stays the same whichever of its keys it uses; others are known by their key. */
const viewerOf = ({ principal }: CallerContext): Viewer => ({
  tenantId: principal.tenantId,
  callerId: principal.agentId ?? principal.apiKeyId,
  merchantIds: principal.merchantIds,
});

const pushOwnerOf = ({ caller, viewer }: NonNullable<Asker['known']>, version: Version) => ({
  tenantId: caller.principal.tenantId,
  world: caller.principal.world,
  callerId: viewer.callerId,
  version,
});

/** The name of the header that names extensions: version 0.3 has its own, and its clients send either. */
export const extensionsHeaderOf = (version: Version): string =>
  version === '1.0' ? 'a2a-extensions' : 'x-a2a-extensions';

function extensionsOf(headers: ArrivalContext['headers'], version: Version): string[] {
  const named = headers[extensionsHeaderOf(version)] ?? headers['a2a-extensions'] ?? '';
  const uris = String(named)
    .split(',', REFERENCES_MAX)
    .map((uri) => uri.trim());
  return [...new Set(uris)].filter((uri) => uri !== '');
}

const KEY_OF_ANOTHER = problem('unauthenticated', 'This key is not of the shop under this host.', {
  field: ':authorization',
  fix: 'Send a key of this shop, or call under the origin of the shop that the key is of.',
});
