import { type DynamicModule, Global, Module } from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  DiscoveryModule,
  DiscoveryService,
} from '@nestjs/core';
import { invariant } from '../../../core/kernel/index.js';
import { ResultInterceptor } from './answer.js';
import { AUTHENTICATOR, type Authenticator } from './authenticator.js';
import { CallerGuard } from './caller-guard.js';
import type { CompiledRoute } from './compiled-route.js';
import { routesOf } from './handles.js';
import { ProblemFilter } from './problem-filter.js';
import type { RateLimiter } from './rate-limiter.js';

/** Every route of the running application, sorted; made once at the start, which fails on a route without contract. */
export const ROUTES = Symbol('Routes');

/** Where the pages of the problem codes stand, without a slash at the end. */
export const PROBLEMS_PATH = '/docs/problems';

/** What the HTTP server hands to the guard once it exists. */
export class HttpModuleState {
  limiter: RateLimiter | null = null;
}

export interface HttpModuleOptions {
  /** Modules that export {@link AUTHENTICATOR}. */
  readonly imports: NonNullable<DynamicModule['imports']>;
  /** Guards that run behind the caller's, in this order: tokens of what `imports` export. */
  readonly guardsBehind?: readonly symbol[];
  /** Public URL of the deployment, or null: then problem types are relative to the host that was asked. */
  readonly publicBaseUrl: string | null;
}

/** Guard, interceptor and filter of every route. Imported once, by the root module. */
@Global()
@Module({})
export class HttpModule {
  static register({ imports, publicBaseUrl, guardsBehind = [] }: HttpModuleOptions): DynamicModule {
    return {
      module: HttpModule,
      imports: [DiscoveryModule, ...imports],
      providers: [
        HttpModuleState,
        {
          provide: ROUTES,
          inject: [DiscoveryService],
          useFactory: (discovery: DiscoveryService) =>
            routesOf(discovery.getControllers().flatMap(({ metatype }) => classOf(metatype))),
        },
        {
          provide: APP_GUARD,
          inject: [AUTHENTICATOR, HttpModuleState],
          useFactory: (authenticator: Authenticator, state: HttpModuleState) =>
            new CallerGuard(authenticator, () => {
              invariant(
                state.limiter !== null,
                'the rate limiter stands before a request is served',
              );
              return state.limiter;
            }),
        },
        ...guardsBehind.map((useExisting) => ({ provide: APP_GUARD, useExisting })),
        { provide: APP_INTERCEPTOR, useFactory: () => new ResultInterceptor() },
        {
          provide: ProblemFilter,
          inject: [ROUTES],
          useFactory: (routes: readonly CompiledRoute[]) =>
            new ProblemFilter(routes, `${publicBaseUrl ?? ''}${PROBLEMS_PATH}`),
        },
        { provide: APP_FILTER, useExisting: ProblemFilter },
      ],
      exports: [ROUTES],
    };
  }
}

type ControllerClass = Parameters<typeof routesOf>[0][number];

const classOf = (metatype: unknown): ControllerClass[] =>
  typeof metatype === 'function' ? [metatype as ControllerClass] : [];
