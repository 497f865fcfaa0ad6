import { isObject } from './legacy-forms.js';
import type { Params } from './operations.js';

/**
 * HTTP+JSON of version 0.3 is the JSON of that version's a2a.proto (messages have `content`, states begin with TASK_STATE_),
 * while its JSON-RPC, which the SDK translates, is that of its JSON Schema (`parts` with `kind`, states in small letters).
 * Here one is turned into the other. Names are read in both of proto's spellings.
 */

/** A member by its name in camelCase, or as proto spells it. */
const member = (object: Params, name: string): unknown =>
  object[name] ?? object[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];

const mapped = (value: unknown, map: (one: Params) => unknown): unknown =>
  Array.isArray(value) ? value.map((one: unknown) => (isObject(one) ? map(one) : one)) : value;

/** Without members that are not there: the forms tell "none" from "null". */
const present = (object: Params): Params =>
  Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined && value !== null),
  );

/** Body of `POST /v1/message:send`. */
export function readSend(body: Params): Params {
  const sent = member(body, 'message') ?? body['request'];
  const configuration = member(body, 'configuration');
  return present({
    message: isObject(sent) ? readMessage(sent) : sent,
    configuration: isObject(configuration) ? readConfiguration(configuration) : configuration,
    metadata: body['metadata'],
  });
}

const readMessage = (message: Params): Params =>
  present({
    kind: 'message',
    messageId: member(message, 'messageId'),
    contextId: filled(member(message, 'contextId')),
    taskId: filled(member(message, 'taskId')),
    role: roleOf(message['role']),
    parts: mapped(message['content'] ?? message['parts'], readPart),
    metadata: message['metadata'],
    extensions: message['extensions'],
  });

/** An empty text is proto's way to say nothing. */
const filled = (value: unknown): unknown => (value === '' ? undefined : value);

const ROLES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ['ROLE_USER', 'user'],
  ['ROLE_AGENT', 'agent'],
  [1, 'user'],
  [2, 'agent'],
]);
const roleOf = (role: unknown): unknown => ROLES.get(role) ?? role;

function readPart(part: Params): unknown {
  const { kind, text, file, data, metadata } = part;
  if (kind !== undefined) return part;
  if (text !== undefined) return present({ kind: 'text', text, metadata });
  if (data !== undefined)
    return present({
      kind: 'data',
      data: isObject(data) ? (data['data'] ?? data) : data,
      metadata,
    });
  return present({ kind: 'file', file: isObject(file) ? readFile(file) : file, metadata });
}

const readFile = (file: Params): Params =>
  present({
    uri: member(file, 'fileWithUri'),
    bytes: member(file, 'fileWithBytes'),
    mimeType: member(file, 'mimeType'),
    name: file['name'],
  });

const readConfiguration = (configuration: Params): Params =>
  present({
    acceptedOutputModes: member(configuration, 'acceptedOutputModes'),
    blocking: configuration['blocking'],
    historyLength: member(configuration, 'historyLength'),
    pushNotificationConfig:
      member(configuration, 'pushNotification') ?? member(configuration, 'pushNotificationConfig'),
  });

/** Body of `POST /v1/tasks/{id}/pushNotificationConfigs`, with or without the envelope of its create request. */
export function readPushConfig(body: Params, taskId: string): Params {
  const { config: enveloped } = body;
  const config = isObject(enveloped) ? enveloped : body;
  return { taskId, pushNotificationConfig: member(config, 'pushNotificationConfig') };
}

/** A task or message of the JSON Schema, as an answer to `message:send`. */
export const printSent = (answer: Params): Params =>
  answer['kind'] === 'message' ? { message: printMessage(answer) } : { task: printTask(answer) };

export function printTask(task: Params): Params {
  const { id, contextId, status, artifacts, history, metadata } = task;
  return present({
    id,
    contextId,
    status: isObject(status) ? printStatus(status) : status,
    artifacts: mapped(artifacts, (artifact) => ({
      ...artifact,
      parts: mapped(artifact['parts'], printPart),
    })),
    history: mapped(history, printMessage),
    metadata,
  });
}

const printStatus = ({ state, message, timestamp }: Params): Params =>
  present({
    state: stateOf(String(state)),
    message: isObject(message) ? printMessage(message) : message,
    timestamp,
  });

const stateOf = (state: string): string =>
  state === 'canceled'
    ? 'TASK_STATE_CANCELLED'
    : `TASK_STATE_${state.replaceAll('-', '_').toUpperCase()}`;

function printMessage(message: Params): Params {
  const { messageId, contextId, taskId, role, parts, metadata, extensions } = message;
  return present({
    messageId,
    contextId,
    taskId,
    role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
    content: mapped(parts, printPart),
    metadata,
    extensions,
  });
}

function printPart(part: Params): Params {
  const { kind, text, data, file, metadata } = part;
  if (kind === 'text') return present({ text, metadata });
  if (kind === 'data') return present({ data: { data }, metadata });
  return present({ file, metadata });
}

export const printPushConfig = ({ taskId, pushNotificationConfig }: Params): Params => ({
  name: `tasks/${String(taskId)}/pushNotificationConfigs/${String(
    isObject(pushNotificationConfig) ? pushNotificationConfig['id'] : '',
  )}`,
  pushNotificationConfig,
});
