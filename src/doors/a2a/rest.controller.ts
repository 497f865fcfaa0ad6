import { Controller, Inject } from '@nestjs/common';
import {
  A2A_JSON_CONTENT_TYPE,
  answerWith,
  Arrival,
  type ArrivalContext,
  Handles,
  Input,
  type InputOf,
  JSON_CONTENT_TYPE,
} from '../../base/platform/index.js';
import { err, invariant, ok } from '../../core/kernel/index.js';
import {
  cancelTask,
  createPushConfig,
  deletePushConfig,
  getExtendedCard,
  getLegacyCard,
  getPushConfig,
  getSubscription,
  getTask,
  listPushConfigs,
  listTasks,
  postSubscription,
  sendMessage,
  streamMessage,
} from './a2a.contract.js';
import { SHOP_AGENTS } from './a2a.tokens.js';
import { notSpoken, restError } from './answer.js';
import { HttpFailure } from './errors.js';
import { answerLegacyRest, answerRest, type RestRequest } from './rest-transport.js';
import { extensionsHeaderOf, type OpenCall, type ShopAgents } from './shop-agents.js';
import { type Version, versionOf } from './version.js';

type Query = Readonly<Record<string, unknown>>;
type Asked = Omit<RestRequest, 'body'> & { readonly body?: unknown; readonly query: Query };

/** The HTTP+JSON binding of both versions; their paths are the same. */
@Controller()
export class RestController {
  constructor(@Inject(SHOP_AGENTS) private readonly agents: ShopAgents) {}

  @Handles(sendMessage)
  send(@Input() { body, query }: InputOf<typeof sendMessage>, @Arrival() arrival: ArrivalContext) {
    return this.answer({ method: 'SendMessage', named: {}, body, query }, arrival);
  }

  @Handles(streamMessage)
  stream(
    @Input() { body, query }: InputOf<typeof streamMessage>,
    @Arrival() arrival: ArrivalContext,
  ) {
    return this.answer({ method: 'SendStreamingMessage', named: {}, body, query }, arrival);
  }

  @Handles(getTask)
  task(@Input() { params, query }: InputOf<typeof getTask>, @Arrival() arrival: ArrivalContext) {
    const { historyLength } = query;
    const named = { id: params.task_id, ...sent({ historyLength }) };
    return this.answer({ method: 'GetTask', named, query }, arrival);
  }

  @Handles(listTasks)
  tasks(@Input() { query }: InputOf<typeof listTasks>, @Arrival() arrival: ArrivalContext) {
    const { includeArtifacts, ...rest } = query;
    const { contextId, status, pageSize, pageToken, historyLength, statusTimestampAfter } = rest;
    const named = {
      ...sent({ contextId, status, pageSize, pageToken, historyLength, statusTimestampAfter }),
      includeArtifacts: includeArtifacts === 'true',
    };
    return this.answer({ method: 'ListTasks', named, query }, arrival);
  }

  @Handles(cancelTask)
  cancel(
    @Input() { params, query }: InputOf<typeof cancelTask>,
    @Arrival() arrival: ArrivalContext,
  ) {
    return this.answer({ method: 'CancelTask', named: { id: params.task_id }, query }, arrival);
  }

  @Handles(getSubscription)
  readSubscription(
    @Input() { params, query }: InputOf<typeof getSubscription>,
    @Arrival() arrival: ArrivalContext,
  ) {
    const named = { id: params.task_id };
    return this.answer({ method: 'SubscribeToTask', named, query }, arrival);
  }

  @Handles(postSubscription)
  subscribe(
    @Input() { params, query }: InputOf<typeof postSubscription>,
    @Arrival() arrival: ArrivalContext,
  ) {
    const named = { id: params.task_id };
    return this.answer({ method: 'SubscribeToTask', named, query }, arrival);
  }

  @Handles(createPushConfig)
  createConfig(
    @Input() { params, query, body }: InputOf<typeof createPushConfig>,
    @Arrival() arrival: ArrivalContext,
  ) {
    const named = { taskId: params.task_id };
    return this.answer({ method: 'CreateTaskPushNotificationConfig', named, body, query }, arrival);
  }

  @Handles(listPushConfigs)
  configs(
    @Input() { params, query }: InputOf<typeof listPushConfigs>,
    @Arrival() arrival: ArrivalContext,
  ) {
    const named = { taskId: params.task_id };
    return this.answer({ method: 'ListTaskPushNotificationConfigs', named, query }, arrival);
  }

  @Handles(getPushConfig)
  config(
    @Input() { params, query }: InputOf<typeof getPushConfig>,
    @Arrival() arrival: ArrivalContext,
  ) {
    const named = { taskId: params.task_id, id: params.config_id };
    return this.answer({ method: 'GetTaskPushNotificationConfig', named, query }, arrival);
  }

  @Handles(deletePushConfig)
  deleteConfig(
    @Input() { params, query }: InputOf<typeof deletePushConfig>,
    @Arrival() arrival: ArrivalContext,
  ) {
    const named = { taskId: params.task_id, id: params.config_id };
    return this.answer({ method: 'DeleteTaskPushNotificationConfig', named, query }, arrival);
  }

  @Handles(getExtendedCard)
  extendedCard(
    @Input() { query }: InputOf<typeof getExtendedCard>,
    @Arrival() arrival: ArrivalContext,
  ) {
    return this.answer({ method: 'GetExtendedAgentCard', named: {}, query }, arrival);
  }

  @Handles(getLegacyCard)
  legacyCard(
    @Input() { query }: InputOf<typeof getLegacyCard>,
    @Arrival() arrival: ArrivalContext,
  ) {
    return this.answer({ method: 'GetExtendedAgentCard', named: {}, query }, arrival);
  }

  private async answer({ query, body, ...asked }: Asked, arrival: ArrivalContext) {
    const said = query['A2A-Version'] as string | undefined;
    const version = versionOf(arrival.headers['a2a-version'], said);
    if (version === null) return printed(notSpoken(), '1.0');
    const call = await this.agents.open(arrival, version);
    if (!call.ok) return call;
    try {
      const request = { ...asked, body };
      const answer = await (version === '1.0'
        ? answerRest(call.value, request)
        : answerLegacyRest(call.value, request));
      return ok(answerWith(bytesOf(answer), { headers: headersOf(call.value, version) }));
    } catch (error) {
      const failure = call.value.agent.failure?.error ?? error;
      if (failure instanceof HttpFailure) return err(failure.problem);
      return printed(failure, version);
    }
  }
}

/** Bytes, because a charset would be added to text, which these media types do not have. */
const bytesOf = (body: object): Buffer => Buffer.from(JSON.stringify(body));

/** Of a query, what was sent and says something. */
const sent = (members: Query): Query =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== ''),
  );

const headersOf = ({ activated }: OpenCall, version: Version): Record<string, string> => ({
  'content-type': version === '1.0' ? A2A_JSON_CONTENT_TYPE : JSON_CONTENT_TYPE,
  ...(activated.length === 0 ? {} : { [extensionsHeaderOf(version)]: activated.join(', ') }),
});

/** An error of the protocol as an answer; any other is thrown on, to whoever prints what broke. */
function printed(error: unknown, version: Version) {
  const form = restError(error, version);
  if (form === null) throw error;
  const { status, mediaType, body } = form;
  invariant(status < 500, 'no error of the protocol is ours');
  return ok(answerWith(bytesOf(body), { status, headers: { 'content-type': mediaType } }));
}
