import { z } from 'zod';
import { malformed } from './errors.js';
import type { Params } from './operations.js';

/**
 * Parameters of version 0.3 (tag v0.3.0, specification/json/a2a.json), as far as the SDK's translation reads them: it trips
 * over what is of another form. Members that nobody reads are let through.
 */

const text = z.string();
const metadata = z.record(z.string(), z.unknown()).optional();

const part = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('text'), text, metadata }),
  z.looseObject({ kind: z.literal('data'), data: z.unknown(), metadata }),
  z.looseObject({
    kind: z.literal('file'),
    file: z.union([z.looseObject({ bytes: text }), z.looseObject({ uri: text })]),
    metadata,
  }),
]);

const message = z.looseObject({
  messageId: text,
  role: z.enum(['user', 'agent']),
  parts: z.array(part),
  contextId: text.optional(),
  taskId: text.optional(),
  extensions: z.array(text).optional(),
  referenceTaskIds: z.array(text).optional(),
  metadata,
});

const pushConfig = z.looseObject({
  url: text,
  id: text.optional(),
  token: text.optional(),
  authentication: z
    .looseObject({ schemes: z.array(text), credentials: text.optional() })
    .optional(),
});

const historyLength = z.int().min(0).optional();

const send = z.looseObject({
  message,
  configuration: z
    .looseObject({
      acceptedOutputModes: z.array(text).optional(),
      blocking: z.boolean().optional(),
      historyLength,
      pushNotificationConfig: pushConfig.optional(),
    })
    .optional(),
  metadata,
});

const task = z.looseObject({ id: text, historyLength, metadata });
const namedConfig = z.looseObject({
  id: text,
  pushNotificationConfigId: text.optional(),
  metadata,
});

const FORMS: Readonly<Record<string, z.ZodType>> = {
  'message/send': send,
  'message/stream': send,
  'tasks/get': task,
  'tasks/cancel': task,
  'tasks/resubscribe': task,
  'tasks/pushNotificationConfig/set': z.looseObject({
    taskId: text,
    pushNotificationConfig: pushConfig,
  }),
  'tasks/pushNotificationConfig/get': namedConfig,
  'tasks/pushNotificationConfig/list': namedConfig,
  'tasks/pushNotificationConfig/delete': namedConfig,
};

const FAULTS_MAX = 5;

/**
 * The parameters of a method of version 0.3, in the form that the SDK translates; those of a method that is unknown stay as
 * they are. Throws RequestMalformed. Clients of older drafts say `type` where the version says `kind`.
 */
export function readLegacyParams(method: string, params: Params): Params {
  const form = Object.hasOwn(FORMS, method) ? FORMS[method] : undefined;
  if (form === undefined) return params;
  const read = form.safeParse(withKinds(params));
  if (read.success) return read.data as Params;
  const faults = read.error.issues
    .slice(0, FAULTS_MAX)
    .map(({ path, message: what }) => `/${path.join('/').slice(0, 100)}: ${what.slice(0, 200)}`);
  throw malformed(`The parameters are not of the form of version 0.3. ${faults.join('. ')}.`, {
    fix: 'Send them as the version’s schema says, or speak version 1.0 (header A2A-Version).',
  });
}

function withKinds(params: Params): Params {
  const { message: sent } = params;
  if (!isObject(sent) || !Array.isArray(sent['parts'])) return params;
  const parts = (sent['parts'] as readonly unknown[]).map((one) =>
    isObject(one) && one['kind'] === undefined && typeof one['type'] === 'string'
      ? { ...one, kind: one['type'] }
      : one,
  );
  return { ...params, message: { ...sent, parts } };
}

export const isObject = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
