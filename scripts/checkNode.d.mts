export declare const isSupportedNode: (version: string) => boolean;
