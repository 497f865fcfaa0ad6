import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const maxParams = ['error', { max: 3 }];

export default tseslint.config(
  // src/client/api.ts and the offline verifiers are generated.
  {
    ignores: [
      'dist/',
      'dist-bench/',
      'node_modules/',
      '.data/',
      'coverage/',
      'src/client/api.ts',
      'scripts/verify-*.mjs',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.mjs', '**/*.cjs', 'eslint.config.js'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        performance: 'readonly',
        AbortSignal: 'readonly',
        module: 'writable',
        require: 'readonly',
      },
    },
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/**/*.spec.ts'],
    rules: {
      'max-params': maxParams,
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'The environment is read in base/platform/config only.',
        },
      ],
      'no-console': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/**/*.spec.ts', 'src/trust/buyer-authority/**', 'src/core/proofs/index.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['**/core/proofs/*', '**/proofs/index.js', './buyer-authority.js'],
              importNames: ['makeVerifiedAuthority'],
              message: 'Only trust/buyer-authority makes verified authority.',
            },
          ],
        },
      ],
    },
  },
  { files: ['src/base/platform/config/**/*.ts'], rules: { 'no-restricted-properties': 'off' } },
  { files: ['src/authority.ts', 'src/cli.ts', 'src/main.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['src/core/**/*.ts'],
    ignores: ['src/core/**/*.spec.ts', 'src/core/kernel/invariant.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ThrowStatement',
          message: 'core/ answers with values; a broken invariant goes through invariant().',
        },
        {
          selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
          message: 'core/ has no clock.',
        },
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'core/ has no clock.',
        },
        {
          selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
          message: 'core/ has no randomness.',
        },
        { selector: 'AwaitExpression', message: 'core/ is synchronous.' },
        { selector: 'FunctionDeclaration[async=true]', message: 'core/ is synchronous.' },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/**/*.spec.ts', 'test/support/file-end.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'vitest',
              importNames: ['afterAll', 'afterEach', 'beforeAll', 'beforeEach'],
              message:
                'Modules are kept from test file to test file, so a hook of theirs is of the first alone: closeAfterFile() of test/support/closing.ts.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
    },
  },
);
