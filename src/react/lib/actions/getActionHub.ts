import { defaultEndpoint } from '@vitrine/contract';
import type { EmbedKeyOptions } from '../keys/embedKeyOptions.ts';
import type { Environment } from '../session/environment.ts';
import { type ActionHub, createActionHub } from './actionHub.ts';
import { createPageEnvironment } from './pageEnvironment.ts';
import { browserTabs } from './tabs.ts';

const hubs = new WeakMap<Environment, Map<string, ActionHub>>();

/** Returns the page's hub for an endpoint and a viewer. */
export const getActionHub = (options: EmbedKeyOptions): ActionHub => {
  const { environment = globalThis, endpoint = defaultEndpoint, viewer = '' } = options;
  const ofEnvironment = hubs.get(environment) ?? new Map<string, ActionHub>();
  hubs.set(environment, ofEnvironment);
  const id = JSON.stringify([endpoint, viewer]);
  const hub =
    ofEnvironment.get(id) ??
    createActionHub({ environment: createPageEnvironment(environment), endpoint, tabs: browserTabs() });
  ofEnvironment.set(id, hub);
  return hub;
};
