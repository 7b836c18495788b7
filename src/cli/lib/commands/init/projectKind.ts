import type { Edit } from './edits.ts';
import type { Project } from './project.ts';

/** What `vitrine init` does in one kind of app. */
export interface ProjectKind {
  readonly title: string;
  /** Whether the app is a server without a page of its own. */
  readonly isServer?: boolean;
  /** The package whose presence says that an app is of this kind. */
  readonly detectedBy: string;
  readonly packages: readonly string[];
  readonly developmentPackages: readonly string[];
  /** Where the report is to be seen once the app runs. */
  readonly address: (project: Project) => string;
  readonly edits: (project: Project) => readonly Edit[];
}
