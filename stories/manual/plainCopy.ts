import { declarationBlock } from './declarations.ts';
import { parseDirective } from './directives.ts';

/**
 * A Markdown page as plain text: includes declarations, lists props with links to their descriptions, and omits live
 * stories.
 */
export const plainCopy = (text: string, sources: readonly string[]): string =>
  text
    .replaceAll(/^<!-- (.*) -->$\n?/gm, (comment, content: string) => {
      const directive = parseDirective(content);
      switch (directive?.type) {
        case undefined:
          return comment;
        case 'type':
          return `${declarationBlock(directive.name, sources)}\n`;
        case 'props': {
          const type = `${directive.file}Props`;
          const names = directive.names.map((name) => `\`${name}\``).join(', ');
          return `Props: ${names}; see [${type}](../reference/@vitrine/react.md#${type.toLowerCase()}).\n`;
        }
        case 'story':
          return '';
      }
    })
    .replaceAll(/\n{3,}/g, '\n\n');
