/** The profile that the screens show. */
export interface UserProfile {
  id: string;
  email: string;
  name: string;
}

export interface LoginRequest {
  email: string;
  password: string;
}

/** The response to a login. The library keeps the refresh token, so there is none in it. */
export interface LoginResponse {
  user: UserProfile;
  tokens: { access: string };
}

export interface RegisterRequest extends LoginRequest {
  name?: string;
}

export interface RegisterResponse {
  success: boolean;
}
