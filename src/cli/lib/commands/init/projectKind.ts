import type { Edit } from './edits.ts';
import type { Project } from './project.ts';

/** A kind of app, and what `vitrine init` does in it. */
export interface ProjectKind {
  readonly title: string;
  /** Whether the app is a server without its own page. */
  readonly isServer?: boolean;
  /** Whether the app has a file of this server; a frontend may only list the package. */
  readonly hasServer?: (project: Project) => boolean;
  /** The package that identifies an app of this kind. */
  readonly detectedBy: string;
  readonly packages: readonly string[];
  readonly developmentPackages: readonly string[];
  /** URL of the report when the app runs. */
  readonly address: (project: Project) => string;
  readonly edits: (project: Project) => readonly Edit[];
}
