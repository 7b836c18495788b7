import { withDeclarations } from './declarations.ts';
import { parseDirective } from './directives.ts';

/**
 * A Markdown page as plain text: includes declarations, lists props with links to their descriptions, and omits live
 * stories.
 */
export const plainCopy = (text: string, sources: readonly string[]): string =>
  withDeclarations(text, sources)
    .replaceAll(/^<!-- (.*) -->$\n?/gm, (comment, content: string) => {
      const directive = parseDirective(content);
      if (directive === undefined) return comment;
      if (directive.type === 'story') return '';
      const type = `${directive.file}Props`;
      const names = directive.names.map((name) => `\`${name}\``).join(', ');
      return `Props: ${names}; see [${type}](../reference/@vitrine/react.md#${type.toLowerCase()}).\n`;
    })
    .replaceAll(/\n{3,}/g, '\n\n');
