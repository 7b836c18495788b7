import { UsageError } from '../../output/usageError.ts';
import type { Project } from './project.ts';
import { blankComments } from './sourcePlaces.ts';

/** Throws if a configuration file has a setting for static output: the key route needs a server. */
export const requireServer = (project: Project, configurations: readonly string[], setting: RegExp): void => {
  const file = project.find(configurations) ?? '';
  const [found] = setting.exec(blankComments(project.read(file) ?? '')) ?? [];
  if (found !== undefined)
    throw new UsageError(
      `${file} has ${found}, so this app has no server for the key route. Add the route to your backend, as the guides show, and <EmbeddedReport> to this app.`,
    );
};
