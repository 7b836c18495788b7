import { apiKeyHeader } from '@vitrine/contract/service';
import type { SecretPair } from '../errors/callStats.ts';
import { userAgent } from '../http/userAgent.ts';
import type { PortalConnection } from './portalConnection.ts';

/** A CreateEncryptedKey call on the wire. */
export interface MintWire {
  readonly headers: (pair: SecretPair) => string[];
  readonly body: (pair: SecretPair, value: MintValue) => string;
}

/** `value` of the call (docs/interface.md#4.6). */
export interface MintValue {
  readonly userId: string;
  readonly reportId: number;
  /** Omitted if undefined. */
  readonly roleNames: readonly string[] | undefined;
  readonly expiration: string;
}

const cell = ({ apiKey, passPhrase }: SecretPair): number => apiKey * 16 + passPhrase;

/**
 * Prepares the constant parts of a connection's calls. Secrets are revealed on the first call of a pair and stay inside
 * this closure, which neither prints nor serializes.
 */
export const createMintWire = (connection: PortalConnection): MintWire => {
  const headers = new Map<number, string[]>();
  const tails = new Map<number, string>();

  const makeHeaders = (pair: SecretPair): string[] => {
    const apiKey = connection.apiKeys[pair.apiKey] ?? connection.apiKeys[0];
    const made = [
      connection.tenantIdHeader,
      String(connection.tenantId),
      apiKeyHeader,
      `ApiKey ${apiKey.reveal()}`,
      'Content-Type',
      'application/json',
      'Accept',
      'application/json',
      'Accept-Encoding',
      'identity',
      'User-Agent',
      userAgent,
    ];
    headers.set(cell(pair), made);
    return made;
  };

  const makeTail = (pair: SecretPair): string => {
    const passPhrase = (connection.passPhrases[pair.passPhrase] ?? connection.passPhrases[0]).reveal();
    const made = `,${JSON.stringify({ passPhrase, tenancyName: connection.tenancyName }).slice(1)}`;
    tails.set(cell(pair), made);
    return made;
  };

  return {
    headers: (pair) => headers.get(cell(pair)) ?? makeHeaders(pair),
    // JSON omits undefined members.
    body: (pair, value) => `{"value":${JSON.stringify(value)}${tails.get(cell(pair)) ?? makeTail(pair)}`,
  };
};
