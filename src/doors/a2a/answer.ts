import {
  A2AError,
  ContentTypeNotSupportedError,
  JsonRpcTransportError,
  RequestMalformedError,
  restStatusFor,
  toJsonRpcError,
  toRestErrorBody,
  VersionNotSupportedError,
} from '@a2a-js/sdk/errors';
import { LegacyJsonRpcTransportHandler, toLegacyHTTPError } from '@a2a-js/sdk/compat/v0_3/server';
import {
  A2A_JSON_CONTENT_TYPE,
  type ArrivalContext,
  type ForeignForm,
  JSON_CONTENT_TYPE,
  type ProblemPrinter,
} from '../../base/platform/index.js';
import type { Problem } from '../../core/kernel/index.js';
import { malformed } from './errors.js';
import { type Version, VERSION_WHEN_ABSENT, versionOf, VERSIONS } from './version.js';

/** Errors and answers as each binding and version spells them (facts/protocols.md 5.5). */

export const notSpoken = (): Error =>
  new VersionNotSupportedError(
    `This version of the protocol is not spoken here. Spoken are ${VERSIONS.join(' and ')}.`,
  );

/** An error of the protocol over HTTP+JSON. Whatever is none is somebody else's to answer. */
export function restError(error: unknown, version: Version): ForeignForm | null {
  if (!(error instanceof A2AError)) return null;
  const status = restStatusFor(error);
  return version === '1.0'
    ? { status, mediaType: A2A_JSON_CONTENT_TYPE, body: toRestErrorBody(error, status) }
    : { status, mediaType: JSON_CONTENT_TYPE, body: legacyBody(error) };
}

/** The official Python client of version 0.3 tells errors apart by `type`, the JavaScript one by `code`. */
const legacyBody = (error: A2AError): object => ({
  ...toLegacyHTTPError(error),
  type: error.name === 'RequestMalformedError' ? 'InvalidParamsError' : error.name,
});

export type RpcId = string | number | null;

/** Always HTTP 200: the error is the answer. */
export const rpcError = (error: unknown, { id, version }: { id: RpcId; version: Version }) => ({
  jsonrpc: '2.0',
  id,
  error:
    version === '1.0'
      ? toJsonRpcError(error)
      : LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(error),
});

const RPC_PARSE_ERROR = -32700;
export const RPC_INVALID_REQUEST = -32600;
export const RPC_METHOD_NOT_FOUND = -32601;

/** An error of JSON-RPC itself. */
export const rpcFault = (code: number, message: string): A2AError =>
  new JsonRpcTransportError({ jsonrpc: '2.0', id: null, error: { code, message } });

/** The version as the request says it, for errors before it is looked at. */
export const saidVersion = (headers: ArrivalContext['headers'], url: string): Version =>
  versionOf(headers['a2a-version'], queryVersion(url)) ?? VERSION_WHEN_ABSENT;

const queryVersion = (url: string): string | undefined =>
  new URLSearchParams(url.split('?', 2)[1] ?? '').get('A2A-Version') ?? undefined;

/** A body that no client of the protocol would send. What HTTP has words for (keys, rates, sizes) keeps them. */
function bodyFault({ code, detail, fix, field }: Problem): A2AError | null {
  if (code === 'unsupported_media_type')
    return new ContentTypeNotSupportedError(`${detail} ${fix}`);
  if (code === 'request_malformed' || code === 'validation_failed')
    return malformed(detail, { fix, field, code }) as A2AError;
  return null;
}

export const restProblem: ProblemPrinter = (problem, { headers, url }) => {
  const fault = bodyFault(problem);
  return fault === null ? null : restError(fault, saidVersion(headers, url));
};

export const rpcProblem: ProblemPrinter = (problem, { headers, url }) => {
  const fault = bodyFault(problem);
  if (fault === null) return null;
  const version = saidVersion(headers, url);
  const error =
    fault instanceof RequestMalformedError ? rpcFault(RPC_PARSE_ERROR, fault.message) : fault;
  const body = rpcError(error, { id: null, version });
  return { status: 200, mediaType: JSON_CONTENT_TYPE, body };
};
