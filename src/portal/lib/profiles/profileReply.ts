import { emptyReply, jsonReply, type PortalReply } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import { envelopeSuccess } from '../service/dialects.ts';
import { profileRow } from './profileRow.ts';
import { defaultProfile, type Profile } from './profileSchema.ts';

interface List {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly totalCount: number;
  readonly page: number;
  readonly pageSize: number;
}

const isList = (value: object): value is List => 'items' in value && 'totalCount' in value;

/** Rewrites a successful `/v1` response to the form of a service with this profile. */
export const profileReply = (profile: Profile, request: PortalRequest, reply: PortalReply): PortalReply => {
  if (profile === defaultProfile || reply.status >= 400) return reply;
  if (reply.status === 204) return profile.deleteStatus === 200 ? jsonReply(200, {}) : reply;
  if (request.path.endsWith('/sync')) return syncReply(profile, reply);
  const tag = request.path.split('/')[2] ?? '';
  // The portal's own responses are JSON objects.
  const body = JSON.parse(reply.body.toString()) as Readonly<Record<string, unknown>>;
  if (isList(body))
    return listReply(profile, request, {
      ...body,
      items: body.items.map((row) => profileRow(profile, tag, row)),
    });
  const status = reply.status === 201 ? profile.createStatus : reply.status;
  const location = reply.headers['location'];
  const headers = location === undefined ? {} : { location };
  const isChange = request.method !== 'GET';
  const row = profileRow(profile, tag, body);
  switch (profile.successBody) {
    case 'bare':
      return jsonReply(status, row, headers);
    case 'envelope':
      return jsonReply(status, envelopeSuccess(row), headers);
    case 'data':
      return jsonReply(status, { data: row }, headers);
    case 'empty':
      return isChange ? emptyReply(status, headers) : jsonReply(status, row, headers);
  }
};

const syncReply = (profile: Profile, reply: PortalReply): PortalReply =>
  profile.syncBody === 'empty' || profile.syncStatus === 204
    ? emptyReply(profile.syncStatus)
    : { ...reply, status: profile.syncStatus };

const linkHeader = (request: PortalRequest, list: List): string => {
  const last = Math.max(1, Math.ceil(list.totalCount / list.pageSize));
  const link = (page: number, relation: string) => {
    const query = new URLSearchParams(request.query);
    query.set('page', String(page));
    return `<${request.path}?${query.toString()}>; rel="${relation}"`;
  };
  return [
    ...(list.page < last ? [link(list.page + 1, 'next')] : []),
    link(1, 'first'),
    link(last, 'last'),
  ].join(', ');
};

const listReply = (profile: Profile, request: PortalRequest, list: List): PortalReply => {
  const isUnpaged = !request.query.has('page') && !request.query.has('pageSize');
  const items =
    profile.cappedAt !== undefined && isUnpaged ? list.items.slice(0, profile.cappedAt) : list.items;
  const page = profile.firstPage === 0 ? list.page - 1 : list.page;
  const headers = {
    ...(profile.totalIn === 'header' && { 'x-total-count': String(list.totalCount) }),
    ...(profile.totalIn === 'link' && { link: linkHeader(request, list) }),
  };
  const total =
    profile.totalIn === 'header' || profile.totalIn === 'link' || profile.totalIn === 'nowhere'
      ? {}
      : { [profile.totalIn]: list.totalCount };
  switch (profile.listShape) {
    case 'array':
      return jsonReply(200, items, headers);
    case 'envelope':
      return jsonReply(200, envelopeSuccess({ items, ...total }), headers);
    case 'items':
    case 'data':
    case 'value':
    case 'results':
      return jsonReply(200, { [profile.listShape]: items, ...total, page, pageSize: list.pageSize }, headers);
  }
};
