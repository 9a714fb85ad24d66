export declare const SERVE_FLAGS: readonly string[]
