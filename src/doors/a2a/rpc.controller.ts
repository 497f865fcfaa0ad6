import { Controller, Inject } from '@nestjs/common';
import {
  answerWith,
  Arrival,
  type ArrivalContext,
  Handles,
  Input,
  type InputOf,
  JSON_CONTENT_TYPE,
} from '../../base/platform/index.js';
import { A2AError } from '@a2a-js/sdk/errors';
import { err, ok } from '../../core/kernel/index.js';
import { callRpc } from './a2a.contract.js';
import { SHOP_AGENTS } from './a2a.tokens.js';
import { notSpoken, rpcError } from './answer.js';
import { HttpFailure } from './errors.js';
import { answerLegacyRpc, answerRpc, readRpc, rpcIdOf } from './rpc-transport.js';
import { extensionsHeaderOf, type ShopAgents } from './shop-agents.js';
import { versionOf } from './version.js';

/** The JSON-RPC binding of both versions, on one path. */
@Controller()
export class RpcController {
  constructor(@Inject(SHOP_AGENTS) private readonly agents: ShopAgents) {}

  @Handles(callRpc)
  async call(
    @Input() { body, query }: InputOf<typeof callRpc>,
    @Arrival() arrival: ArrivalContext,
  ) {
    const id = rpcIdOf(body);
    const version = versionOf(arrival.headers['a2a-version'], query['A2A-Version']);
    if (version === null) return printed(rpcError(notSpoken(), { id, version: '1.0' }));
    const call = await this.agents.open(arrival, version);
    if (!call.ok) return call;
    const { agent, activated } = call.value;
    const answer = await Promise.resolve(body)
      .then((sent) =>
        version === '1.0'
          ? answerRpc(call.value, readRpc(sent))
          : answerLegacyRpc(call.value, readRpc(sent)),
      )
      .catch((error: unknown) => {
        if (agent.failure === null && !(error instanceof A2AError)) throw error;
        return rpcError(error, { id, version });
      });
    const failure = agent.failure?.error ?? null;
    if (failure instanceof HttpFailure) return err(failure.problem);
    if (failure !== null) throw failure as Error;
    return printed(
      answer,
      activated.length === 0 ? {} : { [extensionsHeaderOf(version)]: activated.join(', ') },
    );
  }
}

const printed = (answer: object, headers: Readonly<Record<string, string>> = {}) =>
  ok(
    answerWith(Buffer.from(JSON.stringify(answer)), {
      headers: { 'content-type': JSON_CONTENT_TYPE, ...headers },
    }),
  );
