import { declarationBlock } from './declarations.ts';
import { parseDirective } from './directives.ts';

/**
 * A page of Markdown for those who read it as text: declarations stand where the manual shows them, props are named with
 * the place that describes them, and live stories and charts, whose tables stand beside them, are left out.
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
        case 'chart':
          return '';
      }
    })
    .replaceAll(/\n{3,}/g, '\n\n');
