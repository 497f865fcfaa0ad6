import { createHash } from 'node:crypto';
import { type Message, Message as MessageForm } from '@a2a-js/sdk';

/** Whose tasks: the tenant, and who calls within it. */
export interface Owner {
  readonly tenantId: string;
  readonly callerId: string;
}

const digestOf = (...parts: readonly string[]): Buffer =>
  createHash('sha256')
    // No part runs into the next: each is preceded by its length.
    .update(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''))
    .digest();

/** A UUID (RFC 9562, version 8) that the same parts always give. */
function uuidOf(...parts: readonly string[]): string {
  const bytes = digestOf(...parts).subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * The task that a message makes. It follows from who sent which message, so that a repeat finds it, also one whose first
 * sending broke between the decision and the task.
 */
export const taskIdOf = ({ tenantId, callerId }: Owner, messageId: string): string =>
  uuidOf('a2a-task/1', tenantId, callerId, messageId);

/** The context of a message that names none. */
export const contextIdOf = (taskId: string): string => uuidOf('a2a-context/1', taskId);

/** The message in which a task says how it ended, and the answer to a message without a task. */
export const answerIdOf = (askedBy: string): string => uuidOf('a2a-answer/1', askedBy);

/** The push configuration that a message brought along without naming it. */
export const configIdOf = (taskId: string, url: string): string =>
  uuidOf('a2a-push/1', taskId, url);

/**
 * Hex SHA-256 of what a message says, whichever binding, version or spelling it came in. The message's id goes in, of which
 * nothing else is stored: without it nobody can try out what a stored hash stands for.
 */
export const requestHashOf = (message: Message): string =>
  digestOf('a2a-request/1', sortedJson(MessageForm.toJSON(message))).toString('hex');

/** JSON with the members of each object in one order: only for hashing. */
function sortedJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${sortedJson(member)}`);
  return `{${members.join(',')}}`;
}
