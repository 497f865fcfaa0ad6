export declare const CLIENT_TYPES: string;
export declare function clientTypes(openApiText: string): Promise<string>;
