import 'reflect-metadata';
import { applyDecorators, HttpCode, RequestMapping, RequestMethod } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { invariant } from '../../../core/kernel/index.js';
import { type CompiledRoute, compileRoute } from './compiled-route.js';
import type { RouteContract } from './contract.js';

const ROUTE = Symbol('arbiter.route');

/** Nest's own mark of a method that answers a route. */
const NEST_METHOD_MARK = 'method';

/** Binds a controller's method to its contract: method, path, status of success, and what the guard and reader need. */
export function Handles(contract: RouteContract): MethodDecorator {
  const route = compileRoute(contract);
  const nestPath = routerPath(contract.path);
  return applyDecorators(
    RequestMapping({ method: RequestMethod[contract.method], path: nestPath }),
    HttpCode(contract.success.status),
    RouteConfig({ mayBeEmpty: contract.body === undefined || contract.bodyOptional === true }),
    (_target: object, _name: string | symbol, descriptor: PropertyDescriptor) => {
      Reflect.defineMetadata(ROUTE, route, descriptor.value as object);
    },
  );
}

/**
 * A contract's path as the router spells it. A colon that is part of the path (`/message:send`) is doubled there, and a
 * parameter that ends at one (`/tasks/{id}:cancel`) is told where to end: the router's own parameters go on to the slash.
 */
export const routerPath = (path: string): string =>
  path
    .replaceAll(':', '::')
    .replace(/\{(\w+)\}(?=::)/g, ':$1([^/:]+)')
    .replace(/\{(\w+)\}/g, ':$1');

/** The contract of a handler, as {@link Handles} left it. */
export const routeOf = (handler: object): CompiledRoute | undefined =>
  Reflect.getOwnMetadata(ROUTE, handler) as CompiledRoute | undefined;

type ControllerClass = abstract new (...parameters: never[]) => unknown;

/**
 * The routes of these controllers, sorted by path and method.
 * A method that answers a route without a contract, or two contracts for one route, is a broken invariant: the
 * service does not start.
 */
export function routesOf(controllers: readonly ControllerClass[]): readonly CompiledRoute[] {
  const routes = new Map<string, CompiledRoute>();
  for (const controller of controllers) {
    for (const [name, handler] of handlersOf(controller)) {
      const route = routeOf(handler);
      invariant(route !== undefined, `${controller.name}.${name} has no route contract`);
      const key = route.name.replace(/\{\w+\}/g, '{}');
      invariant(!routes.has(key), `${route.name} is handled once`);
      routes.set(key, route);
    }
  }
  return [...routes.values()].sort((left, right) => compare(sortKey(left), sortKey(right)));
}

const sortKey = ({ contract }: CompiledRoute): string => `${contract.path} ${contract.method}`;
const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

function handlersOf(controller: ControllerClass): [string, object][] {
  const prototype = controller.prototype as Record<string, unknown>;
  const handlers: [string, object][] = [];
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const method = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
    if (typeof method === 'function' && Reflect.hasMetadata(NEST_METHOD_MARK, method)) {
      handlers.push([name, method]);
    }
  }
  return handlers;
}

/** The controllers of a module and of every module it imports, found in the decorators alone: nothing is started. */
export function controllersOf(rootModule: unknown): ControllerClass[] {
  const seen = new Set<unknown>();
  const controllers: ControllerClass[] = [];
  const visit = (module: unknown): void => {
    if (module === undefined || module === null || seen.has(module)) return;
    seen.add(module);
    const { module: moduleClass, imports = [], controllers: own = [] } = dynamicModule(module);
    controllers.push(...own, ...metadataList<ControllerClass>('controllers', moduleClass));
    for (const imported of [...imports, ...metadataList('imports', moduleClass)]) visit(imported);
  };
  visit(rootModule);
  return [...new Set(controllers)];
}

interface ModuleParts {
  readonly module: object;
  readonly imports?: readonly unknown[];
  readonly controllers?: readonly ControllerClass[];
}

const dynamicModule = (module: unknown): ModuleParts =>
  typeof module === 'function' ? { module } : (module as ModuleParts);

const metadataList = <Item>(name: string, target: object): readonly Item[] =>
  (Reflect.getMetadata(name, target) as readonly Item[] | undefined) ?? [];
