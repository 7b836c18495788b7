/** Sent with every request, so that whoever runs the portal can tell our calls. The version is that of the package. */
export const userAgent = 'vitrine-portal-client/0.1.0';
