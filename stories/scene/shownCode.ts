/**
 * The source of an example for readers: with its imports of `@vitrine/react`, and without the classes of the manual's
 * style sheet.
 */
export const shownCode = (code: string): string => {
  const plain = code.replaceAll(/\s+className="host-[^"]*"/g, '');
  if (!plain.startsWith('<')) return plain;
  const names = ['EmbeddedReport', 'EmbedProvider'].filter((name) => plain.includes(`<${name}`));
  const imports = `import { ${names.join(', ')} } from '@vitrine/react';\nimport '@vitrine/react/styles.css';\n`;
  return names.length === 0 ? plain : `${imports}\n${plain}`;
};
