import type { CallOptions } from '../http/http.ts';
import type { PortalList } from '../paging/paging.ts';
import { type Link, linkReader } from './link.ts';
import { listOf, type ResourceTools } from './resourceTools.ts';
import { type Task, taskReader } from './task.ts';

/** Tasks of the tenant (docs/interface.md#4.4). */
export interface TasksResource {
  /** GET /v1/tasks: all tasks. If the service caps the list, further pages are read. */
  readonly list: (options?: CallOptions) => PortalList<Task>;
}

/** Links of the tenant (docs/interface.md#4.4). */
export interface LinksResource {
  /**
   * GET /v1/links: all active Report Keys and Slideshow links. If the service caps the list, further pages are read.
   */
  readonly list: (options?: CallOptions) => PortalList<Link>;
}

/** The tasks of a client. */
export const createTasks = (tools: ResourceTools): TasksResource => ({
  list: (options = {}) => listOf(tools, { path: '/v1/tasks', reader: taskReader, isPaged: false }, options),
});

/** The links of a client. */
export const createLinks = (tools: ResourceTools): LinksResource => ({
  list: (options = {}) => listOf(tools, { path: '/v1/links', reader: linkReader, isPaged: false }, options),
});
