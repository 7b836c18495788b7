/** Base URL of the documentation. The owner is a placeholder, as in `scripts/packageMetadata.ts`. */
export const documentationUrl = 'https://github.com/vitrine-embed/vitrine/blob/main/docs';
