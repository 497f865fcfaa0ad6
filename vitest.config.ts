import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Reading and compiling the sources takes a second or more of a processor, and would be done for each of some 200 files:
    // a worker keeps its modules from file to file. What a file opens is still closed at its end, see test/support/closing.ts.
    isolate: false,
    // Tests wait for PostgreSQL and for other processes half of their time: one file more than the processors of a small
    // machine keeps them busy. The default is one less, so on two processors one file after the other. Not more on larger
    // ones: all files share the 200 connections of one server.
    maxWorkers: 3,
    // Spies too would be kept.
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.spec.ts'],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: ['test/**/*.spec.ts'],
          globalSetup: ['test/support/global-database.ts'],
          setupFiles: ['test/support/file-end.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          // Looks at what the tests of the project before it left in their databases: counted like any test.
          name: 'personal-data',
          include: ['test/personal-data/*.scan.ts'],
          sequence: { groupOrder: 1 },
          testTimeout: 600_000,
        },
      },
    ],
  },
});
