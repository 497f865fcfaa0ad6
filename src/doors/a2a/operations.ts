import {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetExtendedAgentCardRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  SendMessageRequest,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { UnsupportedOperationError } from '@a2a-js/sdk/errors';
import type { ServerCallContext } from '@a2a-js/sdk/server';
import type { AgentCall } from './agent-call.js';
import { malformed } from './errors.js';

export type Params = Readonly<Record<string, unknown>>;

interface Form<Value> {
  fromJSON(json: never): Value;
}

/** One method of version 1.0: reads its parameters, asks the agent, prints what it answers. Both bindings are printed from it. */
export type Operation = (params: Params, at: At) => Promise<object | null>;

interface At {
  readonly agent: AgentCall;
  readonly context: ServerCallContext;
}

/** The SDK's readers take what they can and trip over what they cannot: a caller's text is never an error of ours. */
function read<Value>(form: Form<Value>, params: Params): Value {
  try {
    return form.fromJSON(params as never);
  } catch {
    throw malformed('The parameters are not of the form that this method reads.', {
      fix: 'Send them as the protocol’s a2a.proto says.',
    });
  }
}

/** A number of messages that was not sent as one would count as none or all. */
function checkHistoryLength({ historyLength }: { readonly historyLength?: number | undefined }) {
  if (historyLength === undefined || (Number.isInteger(historyLength) && historyLength >= 0))
    return;
  throw malformed('historyLength is no number of messages.', {
    fix: 'Send a whole number, zero or more, or leave it out.',
    field: '/historyLength',
  });
}

const sendMessage: Operation = async (params, { agent, context }) => {
  const request = read(SendMessageRequest, params);
  checkHistoryLength(request.configuration ?? {});
  const answer = await agent.sendMessage(request, context);
  return 'messageId' in answer
    ? { message: Message.toJSON(answer) }
    : { task: Task.toJSON(answer) };
};

const getTask: Operation = async (params, { agent, context }) => {
  const request = read(GetTaskRequest, params);
  checkHistoryLength(request);
  return Task.toJSON(await agent.getTask(request, context)) as object;
};

/** The members of a page are all there, also where they are empty: clients count by them. */
const listTasks: Operation = async (params, { agent, context }) => {
  const request = read(ListTasksRequest, params);
  checkHistoryLength(request);
  const { tasks, nextPageToken, pageSize, totalSize } = await agent.listTasks(request, context);
  const printed = ListTasksResponse.toJSON({ tasks, nextPageToken, pageSize, totalSize }) as object;
  return { tasks: [], nextPageToken, pageSize, totalSize, ...printed };
};

const cancelTask: Operation = async (params, { agent, context }) =>
  Task.toJSON(await agent.cancelTask(read(CancelTaskRequest, params), context)) as object;

const createPushConfig: Operation = async (params, { agent, context }) => {
  const request = read(TaskPushNotificationConfig, params);
  const created = await agent.createTaskPushNotificationConfig(request, context);
  return TaskPushNotificationConfig.toJSON(created) as object;
};

const getPushConfig: Operation = async (params, { agent, context }) => {
  const request = read(GetTaskPushNotificationConfigRequest, params);
  const found = await agent.getTaskPushNotificationConfig(request, context);
  return TaskPushNotificationConfig.toJSON(found) as object;
};

const listPushConfigs: Operation = async (params, { agent, context }) => {
  const request = read(ListTaskPushNotificationConfigsRequest, params);
  const found = await agent.listTaskPushNotificationConfigs(request, context);
  const printed = ListTaskPushNotificationConfigsResponse.toJSON(found) as object;
  return { configs: [], ...printed };
};

const deletePushConfig: Operation = async (params, { agent, context }) => {
  const request = read(DeleteTaskPushNotificationConfigRequest, params);
  await agent.deleteTaskPushNotificationConfig(request, context);
  return null;
};

const extendedCard: Operation = async (params, { agent, context }) => {
  const request = read(GetExtendedAgentCardRequest, params);
  return AgentCard.toJSON(
    await agent.getAuthenticatedExtendedAgentCard(request, context),
  ) as object;
};

const notStreamed: Operation = () =>
  Promise.reject(
    new UnsupportedOperationError(
      'This agent does not stream: a decision is answered at once, by SendMessage.',
    ),
  );

export const OPERATIONS = {
  SendMessage: sendMessage,
  SendStreamingMessage: notStreamed,
  GetTask: getTask,
  ListTasks: listTasks,
  CancelTask: cancelTask,
  SubscribeToTask: notStreamed,
  CreateTaskPushNotificationConfig: createPushConfig,
  GetTaskPushNotificationConfig: getPushConfig,
  ListTaskPushNotificationConfigs: listPushConfigs,
  DeleteTaskPushNotificationConfig: deletePushConfig,
  GetExtendedAgentCard: extendedCard,
} as const satisfies Readonly<Record<string, Operation>>;

export type Method = keyof typeof OPERATIONS;

export const isMethod = (name: string): name is Method => Object.hasOwn(OPERATIONS, name);
