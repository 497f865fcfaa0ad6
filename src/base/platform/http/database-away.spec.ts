import { describe, expect, it } from 'vitest';
import { problemOfForeignError } from './foreign-error.js';

const failure = (message: string, members: object = {}) =>
  Object.assign(new Error(message), members);

describe('an error of the database', () => {
  it.each([
    ['a server that goes away', failure('x', { severity: 'FATAL', code: '57P01' })],
    ['a server that starts', failure('x', { severity: 'FATAL', code: '57P03' })],
    ['too many connections', failure('x', { severity: 'FATAL', code: '53300' })],
    ['a query that takes too long', failure('x', { severity: 'ERROR', code: '57014' })],
    ['nobody at the socket', failure('x', { syscall: 'connect', code: 'ENOENT' })],
    ['a connection that was cut', failure('x', { syscall: 'read', code: 'ECONNRESET' })],
    ['a driver that lost its connection', failure('Connection terminated unexpectedly')],
    ['a driver that gave up waiting', failure('Query read timeout')],
  ])('%s is told to come again', (_name, error) => {
    expect(problemOfForeignError(error)).toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 2,
    });
  });

  it.each([
    ['a statement of ours that is wrong', failure('x', { severity: 'ERROR', code: '42P01' })],
    ['a file of ours that is missing', failure('x', { syscall: 'open', code: 'ENOENT' })],
    ['a bug', new TypeError('x is not a function')],
  ])('%s is ours', (_name, error) => {
    expect(problemOfForeignError(error)).toBeNull();
  });
});
