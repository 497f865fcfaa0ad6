import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { RPC_INVALID_REQUEST, RPC_METHOD_NOT_FOUND, rpcFault, type RpcId } from './answer.js';
import { malformed } from './errors.js';
import { isObject, readLegacyParams } from './legacy-forms.js';
import { isMethod, OPERATIONS, type Params } from './operations.js';
import type { OpenCall } from './shop-agents.js';

/** A request of JSON-RPC 2.0, one at a time: the protocol has no batches. */
export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: unknown;
}

/** The id as it can be told back; null where there is none, or none that JSON-RPC knows. */
export const rpcIdOf = (body: unknown): RpcId => {
  const id = isObject(body) ? body['id'] : null;
  return typeof id === 'string' || Number.isInteger(id) ? (id as RpcId) : null;
};

/** Throws -32600. */
export function readRpc(body: unknown): RpcRequest {
  if (!isObject(body)) throw rpcFault(RPC_INVALID_REQUEST, 'A request is one JSON object.');
  const { jsonrpc, id, method, params } = body;
  if (jsonrpc !== '2.0') throw rpcFault(RPC_INVALID_REQUEST, 'jsonrpc is "2.0".');
  if (typeof method !== 'string' || method === '')
    throw rpcFault(RPC_INVALID_REQUEST, 'method is a text.');
  if (id !== undefined && id !== null && rpcIdOf(body) === null)
    throw rpcFault(RPC_INVALID_REQUEST, 'id is a text, a whole number or null.');
  return { id: rpcIdOf(body), method, params };
}

/** Answers in version 1.0. Throws errors of the protocol, HttpFailure, or what broke. */
export async function answerRpc(call: OpenCall, request: RpcRequest): Promise<object> {
  const { id, method, params = {} } = request;
  if (!isMethod(method))
    throw rpcFault(RPC_METHOD_NOT_FOUND, 'Version 1.0 has no such method (see A2A-Version).');
  const result = await OPERATIONS[method](objectOf(params), call);
  return { jsonrpc: '2.0', id, result };
}

/** Answers in version 0.3 through the SDK's translation, which answers its errors itself. */
export async function answerLegacyRpc(call: OpenCall, request: RpcRequest): Promise<object> {
  const { id, method, params = {} } = request;
  const read = readLegacyParams(method, objectOf(params));
  const transport = new LegacyJsonRpcTransportHandler(call.agent);
  const answer = await transport.handle({ jsonrpc: '2.0', id, method, params: read }, call.context);
  // A stream is never opened: the card offers none, so the SDK has refused it.
  return answer;
}

function objectOf(params: unknown): Params {
  if (isObject(params) && !Object.hasOwn(params, '')) return params;
  throw malformed('params is no object.', { fix: 'Send the parameters by their names.' });
}
