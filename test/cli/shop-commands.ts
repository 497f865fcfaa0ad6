import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { openShop, type Shop } from '../arbiter/shop.js';
import { closeAfterFile } from '../support/closing.js';
import { temporaryDataFolder } from '../support/data-folder.js';
import { startTestService, type TestService } from '../support/service.js';
import { arbiter, type Ended, type RunOptions } from './run.js';

type Role = keyof Shop['apiKeys'];

const problem = z.object({ code: z.string(), status: z.int(), field: z.string().nullable() });

/** What a command printed with --json, read by a schema; nothing else may have been said. */
export const read = <Schema extends z.ZodType>(
  { out, err }: Ended,
  schema: Schema,
): z.output<Schema> => {
  expect(err).toBe('');
  return schema.parse(JSON.parse(out));
};

/** The command line on a shop of its own: a started service, a seeded tenant, and a folder for files. */
export interface ShopCommands {
  readonly service: TestService;
  readonly shop: Shop;
  readonly folder: string;
  /** A command as one of the shop's roles. */
  run(role: Role, words: readonly string[], options?: RunOptions): Promise<Ended>;
  /** A file in the folder; its path. */
  file(name: string, text: string): string;
  /** A problem of the service: exit code 3 and the document. */
  expectProblem(role: Role, words: readonly string[], code: string): Promise<void>;
}

/** Made in a `beforeAll`; the folder is removed after the file's tests. */
export async function shopCommands(): Promise<ShopCommands> {
  const service = await startTestService();
  const shop = await openShop(service);
  const folder = temporaryDataFolder('arbiter-cli-');
  closeAfterFile(() => rmSync(folder, { recursive: true, force: true }));
  const run: ShopCommands['run'] = (role, words, options = {}) =>
    arbiter(words, {
      ...options,
      environment: { ARBITER_URL: service.baseUrl, ARBITER_API_KEY: shop.apiKeys[role] },
    });
  return {
    service,
    shop,
    folder,
    run,
    file(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    async expectProblem(role, words, code) {
      const ended = await run(role, [...words, '--json']);
      expect(ended.code, ended.err).toBe(3);
      expect(read(ended, problem).code).toBe(code);
    },
  };
}
