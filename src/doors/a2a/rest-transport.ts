import { LegacyRestTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { printPushConfig, printSent, printTask, readPushConfig, readSend } from './legacy-rest.js';
import { isObject, readLegacyParams } from './legacy-forms.js';
import { type Method, OPERATIONS, type Params } from './operations.js';
import type { OpenCall } from './shop-agents.js';

/** What a request of the HTTP+JSON binding asks. */
export interface RestRequest {
  readonly method: Method;
  /** Of the path and the query, by the names of the protocol's fields. */
  readonly named: Params;
  readonly body: unknown;
}

/** Answers in version 1.0. Throws errors of the protocol, HttpFailure, or what broke. */
export async function answerRest(call: OpenCall, request: RestRequest): Promise<object> {
  const { method, named, body } = request;
  const params = { ...(isObject(body) ? body : {}), ...named };
  // A deleted configuration is answered with an empty object: clients read every answer as JSON.
  return (await OPERATIONS[method](params, call)) ?? {};
}

/** Answers in version 0.3, whose JSON over HTTP is of another form than its JSON-RPC. Throws as {@link answerRest}. */
export async function answerLegacyRest(call: OpenCall, request: RestRequest): Promise<object> {
  const ask = LEGACY[request.method];
  if (ask === undefined)
    throw new UnsupportedOperationError('Version 0.3 has no such method over HTTP+JSON.');
  const { agent, context } = call;
  const body = isObject(request.body) ? request.body : {};
  const transport = new LegacyRestTransportHandler(agent);
  return ask({ transport, context, body, named: request.named });
}

interface LegacyAsk {
  readonly transport: LegacyRestTransportHandler;
  readonly context: OpenCall['context'];
  readonly body: Params;
  readonly named: Params;
}

const nameOf = (named: Params, name: string): string => {
  const value = named[name];
  return typeof value === 'string' ? value : '';
};

const LEGACY: Partial<Readonly<Record<Method, (ask: LegacyAsk) => Promise<object>>>> = {
  async SendMessage({ transport, context, body }) {
    const params = readLegacyParams('message/send', readSend(body));
    const answer = await transport.sendMessage(params as never, context);
    return printSent(answer as unknown as Params);
  },
  async SendStreamingMessage({ transport, context, body }) {
    return transport.sendMessageStream(body as never, context);
  },
  async GetTask({ transport, context, named }) {
    const { historyLength } = named;
    const task = await transport.getTask(nameOf(named, 'id'), context, historyLength);
    return printTask(task as unknown as Params);
  },
  async CancelTask({ transport, context, named }) {
    const task = await transport.cancelTask(nameOf(named, 'id'), context);
    return printTask(task as unknown as Params);
  },
  async SubscribeToTask({ transport, context, named }) {
    return transport.resubscribe(nameOf(named, 'id'), context);
  },
  async CreateTaskPushNotificationConfig({ transport, context, body, named }) {
    const params = readPushConfig(body, nameOf(named, 'taskId'));
    const config = readLegacyParams('tasks/pushNotificationConfig/set', params);
    const set = await transport.setTaskPushNotificationConfig(config as never, context);
    return printPushConfig(set as unknown as Params);
  },
  async GetTaskPushNotificationConfig({ transport, context, named }) {
    const taskId = nameOf(named, 'taskId');
    const found = await transport.getTaskPushNotificationConfig(
      taskId,
      nameOf(named, 'id'),
      context,
    );
    return printPushConfig(found as unknown as Params);
  },
  async ListTaskPushNotificationConfigs({ transport, context, named }) {
    const taskId = nameOf(named, 'taskId');
    const found = await transport.listTaskPushNotificationConfigs(taskId, context);
    const configs = found.map((config) => printPushConfig(config as unknown as Params));
    return { configs, nextPageToken: '' };
  },
  async DeleteTaskPushNotificationConfig({ transport, context, named }) {
    const taskId = nameOf(named, 'taskId');
    await transport.deleteTaskPushNotificationConfig(taskId, nameOf(named, 'id'), context);
    return {};
  },
  async GetExtendedAgentCard({ transport, context }) {
    return transport.getAuthenticatedExtendedAgentCard(context);
  },
};
