import { type Task, TaskPushNotificationConfig } from '@a2a-js/sdk';
import type { PushNotificationStore, ServerCallContext } from '@a2a-js/sdk/server';
import type { KeyWrapping } from '../../base/keys/index.js';
import { peerUrlOf, type Queryable } from '../../base/platform/index.js';
import { drawId } from '../../base/tenants/index.js';
import { isVisibleText, type TenantId, type World } from '../../core/kernel/index.js';
import { malformed } from './errors.js';
import {
  CHOSEN_NAME_CHARACTERS_MAX,
  PUSH_CONFIGS_PER_TASK_MAX,
  PUSH_SECRET_CHARACTERS_MAX,
} from './limits.js';
import { configIdOf } from './names.js';
import {
  deletePushConfig,
  listPushConfigs,
  type PushConfig,
  savePushConfig,
  type WrappedSecret,
} from './push.store.js';
import type { Version } from './version.js';

/** A wrapped token or credential belongs to this purpose and opens as nothing else. */
export const PUSH_SECRET_PURPOSE = 'a2a-push';

/** What is told to the receiver so that it knows the sender; both are the caller's own secrets. */
export interface PushSecret {
  readonly token: string;
  readonly credentials: string;
}

export interface PushConfigsParts {
  readonly database: Queryable;
  readonly wrapping: KeyWrapping;
  /** In the test world; never in the live one. */
  readonly allowLoopbackPeers: boolean;
  readonly nowMs: () => number;
}

export interface PushOwner {
  readonly tenantId: TenantId;
  readonly world: World;
  readonly callerId: string;
  readonly version: Version;
}

/** Where one caller wants the ends of its tasks told. Whether it may see the task is asked before. */
export class PushConfigs implements PushNotificationStore {
  constructor(
    private readonly parts: PushConfigsParts,
    private readonly owner: PushOwner,
  ) {}

  /** As the protocol creates one: a name that is there already is replaced, and told again. `config.id` is set where it was empty. */
  async save(taskId: string, _context: ServerCallContext, config: TaskPushNotificationConfig) {
    checkNames(config);
    if (config.id === '') config.id = configIdOf(taskId, config.url);
    await this.#write(taskId, config, false);
  }

  /** Of a message that brought one along: a repeat of the message tells nothing twice. */
  async saveOnce({ id: taskId }: Task, config: TaskPushNotificationConfig): Promise<void> {
    checkNames(config);
    const named = config.id === '' ? { ...config, id: configIdOf(taskId, config.url) } : config;
    await this.#write(taskId, named, true);
  }

  /** Throws what is wrong with it, so that a message is refused before anything is decided. */
  check(config: TaskPushNotificationConfig): void {
    checkNames(config);
    this.#urlOf(config);
    checkSecrets(config);
  }

  /** Secrets are shown to nobody, not even to who sent them. */
  async load(taskId: string): Promise<TaskPushNotificationConfig[]> {
    const stored = await listPushConfigs(this.parts.database, { ...this.owner, taskId });
    return stored.map(({ configId, url, scheme }) => ({
      tenant: '',
      id: configId,
      taskId,
      url,
      token: '',
      authentication: scheme === null ? undefined : { scheme, credentials: '' },
    }));
  }

  delete(taskId: string, _context: ServerCallContext, configId = taskId): Promise<void> {
    return deletePushConfig(this.parts.database, { ...this.owner, taskId }, configId);
  }

  async #write(taskId: string, config: TaskPushNotificationConfig, isKept: boolean): Promise<void> {
    const { database, nowMs } = this.parts;
    const url = this.#urlOf(config);
    checkSecrets(config);
    const messageId = drawId('a2p');
    const stored: PushConfig = {
      configId: config.id,
      version: this.owner.version,
      url,
      scheme: config.authentication?.scheme === '' ? null : (config.authentication?.scheme ?? null),
      secret: this.#wrap(config, url),
      messageId,
    };
    const isRoom = await savePushConfig(
      database,
      { ...this.owner, taskId },
      { config: stored, isKept, nowMs: nowMs(), configsMax: PUSH_CONFIGS_PER_TASK_MAX },
    );
    if (!isRoom)
      throw malformed(`A task has at most ${PUSH_CONFIGS_PER_TASK_MAX} push configurations.`, {
        fix: 'Delete one first.',
        code: 'conflict',
      });
  }

  #urlOf({ url }: TaskPushNotificationConfig): string {
    const allowLoopback = this.parts.allowLoopbackPeers && this.owner.world === 'test';
    const canonical = peerUrlOf(url, allowLoopback);
    if (canonical !== null) return canonical;
    throw malformed('This address is not one that this service sends to.', {
      fix: 'Send an https URL on port 443 or 8443 of a public host, without user name and fragment.',
      field: '/url',
    });
  }

  /** Bound to the address: what was meant for one receiver opens for no other. */
  #wrap({ token, authentication }: TaskPushNotificationConfig, url: string): WrappedSecret {
    const secret: PushSecret = { token, credentials: authentication?.credentials ?? '' };
    if (secret.token === '' && secret.credentials === '') return null;
    const place = { tenantId: this.owner.tenantId, purpose: PUSH_SECRET_PURPOSE, kid: url };
    return this.parts.wrapping.wrap(Buffer.from(JSON.stringify(secret)), place);
  }
}

function checkNames({ id }: TaskPushNotificationConfig): void {
  if (id.length > CHOSEN_NAME_CHARACTERS_MAX || !isVisibleText(id))
    throw malformed('The id of a push configuration is no name of one line.', {
      fix: `Send at most ${CHOSEN_NAME_CHARACTERS_MAX} visible characters, or none.`,
      field: '/id',
    });
}

const HEADER_TEXT = new RegExp(`^[\\x20-\\x7e]{0,${PUSH_SECRET_CHARACTERS_MAX}}$`);
const SCHEME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{0,64}$/;

/** They become header values of the request to the receiver. */
function checkSecrets({ token, authentication }: TaskPushNotificationConfig): void {
  const { scheme = '', credentials = '' } = authentication ?? {};
  if (HEADER_TEXT.test(token) && HEADER_TEXT.test(credentials) && SCHEME.test(scheme)) return;
  throw malformed('A token or credential of the receiver is no header value.', {
    fix: `Send at most ${PUSH_SECRET_CHARACTERS_MAX} visible ASCII characters, and a scheme such as Bearer.`,
    field: '/authentication',
  });
}
