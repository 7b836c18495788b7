import type { OrganizationUnit } from '@vitrine/portal-client';
import { describe, expect, it } from 'vitest';
import { organizationUnitTree } from '../../src/portal-client/lib/units.ts';

const unit = (id: string, name: string, parentId = 'root'): OrganizationUnit => ({
  id,
  name,
  parentId,
  directoryGroupId: null,
});

describe('organizationUnitTree()', () => {
  it('puts units below their parents, sorted by name, with depth and path', () => {
    const tree = organizationUnitTree([
      unit('3', 'Zulu', '1'),
      unit('1', 'Customers', 'root'),
      unit('2', 'Acme', '1'),
      unit('4', 'North', '2'),
    ]);
    expect(tree.roots.map((node) => node.unit.name)).toEqual(['Customers']);
    expect(tree.roots[0]?.children.map((node) => [node.path, node.depth])).toEqual([
      ['/Customers/Acme', 1],
      ['/Customers/Zulu', 1],
    ]);
    expect(tree.find('4')).toMatchObject({ path: '/Customers/Acme/North', depth: 2 });
    expect(tree.findPath('/Customers/Acme').map((node) => node.unit.id)).toEqual(['2']);
  });

  it.each([['root'], ['']])('treats the parent %s as the root', (parentId) => {
    expect(organizationUnitTree([unit('1', 'A', parentId)]).roots).toHaveLength(1);
  });

  it('escapes a slash in a name, so that a path identifies one unit', () => {
    const tree = organizationUnitTree([unit('1', 'A/B~C'), unit('2', 'A'), unit('3', 'B~C', '2')]);
    expect(tree.find('1')?.path).toBe('/A~1B~0C');
    expect(tree.find('3')?.path).toBe('/A/B~0C');
  });

  it('returns units without a path to the root as detached', () => {
    const tree = organizationUnitTree([
      unit('1', 'A', '2'),
      unit('2', 'B', '1'),
      unit('3', 'C', 'gone'),
      unit('4', 'D', '4'),
    ]);
    expect(tree.roots).toEqual([]);
    expect(tree.detached.map((lost) => lost.id)).toEqual(['1', '2', '3', '4']);
  });

  it('handles a chain of ten thousand units', () => {
    const line = Array.from({ length: 10_000 }, (_, index) =>
      unit(String(index), 'N', index === 0 ? undefined : String(index - 1)),
    );
    const tree = organizationUnitTree(line);
    expect(tree.roots).toHaveLength(1);
    expect(tree.detached.length).toBeGreaterThan(0);
  });
});
