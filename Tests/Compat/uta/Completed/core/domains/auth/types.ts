// The types that the printed api.ts and store.ts import.

export interface UserProfile {
  id: string;
  email: string;
  name: string;
}

export interface LoginRequest {
  email: string;
  password: string;
}

export interface LoginResponse {
  user: UserProfile;
  tokens: { access: string; refresh: string };
}

export interface RegisterRequest extends LoginRequest {
  name?: string;
}

/** The document reads nothing of it. */
export interface RegisterResponse {
  success: boolean;
}
