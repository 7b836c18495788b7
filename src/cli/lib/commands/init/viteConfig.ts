import { builders, generateCode, parseModule } from 'magicast';

/** A node of a syntax tree, with the members that are read here. */
interface Node {
  type: string;
  body?: Node | Node[];
  declaration?: Node;
  declarations?: Node[];
  expression?: Node;
  left?: Node;
  right?: Node;
  object?: Node;
  property?: Node;
  argument?: Node;
  arguments?: Node[];
  properties?: Node[];
  elements?: Node[];
  id?: Node;
  init?: Node;
  key?: Node;
  value?: Node | string;
  name?: string;
}

const statementsOf = ({ body }: Node): readonly Node[] => (Array.isArray(body) ? body : []);

/** The expression that a module exports: `export default …` or `module.exports = …`. */
const exportedBy = (program: Node): Node | undefined =>
  statementsOf(program)
    .map(({ type, declaration, expression }) => {
      if (type === 'ExportDefaultDeclaration') return declaration;
      const { left, right } = expression ?? {};
      return left?.object?.name === 'module' && left.property?.name === 'exports' ? right : undefined;
    })
    .find((found) => found !== undefined);

/** The object behind an expression: an argument of defineConfig(), the result of a function, the value of a name. */
const objectBehind = (program: Node, node: Node | undefined): Node | undefined => {
  switch (node?.type) {
    case 'ObjectExpression':
      return node;
    case 'CallExpression':
      return objectBehind(program, node.arguments?.[0]);
    case 'ArrowFunctionExpression':
    case 'FunctionExpression': {
      const { body } = node;
      if (Array.isArray(body) || body?.type !== 'BlockStatement') return objectBehind(program, body as Node);
      const returns = statementsOf(body).filter(({ type }) => type === 'ReturnStatement');
      return returns.length === 1 ? objectBehind(program, returns[0]?.argument) : undefined;
    }
    case 'Identifier': {
      const declared = statementsOf(program).flatMap(({ declarations = [] }) => declarations);
      return objectBehind(program, declared.find(({ id }) => id?.name === node.name)?.init);
    }
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return objectBehind(program, node.expression);
    case undefined:
    default:
      return undefined;
  }
};

/** Adds the plugin to a configuration of Vite, on its syntax tree; undefined if it has no object to add it to. */
export const addVitePlugin = (code: string): string | undefined => {
  if (code.includes('@vitrine/vite')) return code;
  const module = parseModule(code);
  // The tree has these members, by the standard that both follow.
  const program = module.$ast as unknown as Node;
  const config = objectBehind(program, exportedBy(program));
  if (config?.properties === undefined) return undefined;
  const call = builders.functionCall('vitrine').$ast as unknown as Node;
  const plugins = config.properties.find(({ key }) => key?.name === 'plugins' || key?.value === 'plugins');
  const list = plugins?.value;
  if (plugins === undefined) {
    const { properties = [] } = builders.literal({
      plugins: [builders.functionCall('vitrine')],
    }) as unknown as Node;
    config.properties.unshift(...properties);
  } else if (typeof list === 'object' && list.type === 'ArrayExpression') list.elements?.unshift(call);
  // Vite flattens lists of plugins.
  else if (typeof list === 'object') plugins.value = { type: 'ArrayExpression', elements: [call, list] };
  const isCommonJs = statementsOf(program).every(({ type }) => !/^(?:Import|Export)/.test(type));
  if (!isCommonJs) module.imports.$prepend({ from: '@vitrine/vite', imported: 'vitrine' });
  const written = generateCode(module).code;
  return isCommonJs ? `const { vitrine } = require('@vitrine/vite');\n${written}` : written;
};
