// Package hook has the messages of the relay.
package hook

import (
	"encoding/json"
	"time"
)

// Push is what a forge sends when somebody pushes.
type Push struct {
	Ref        string     `json:"ref"`
	Before     string     `json:"before"`
	After      string     `json:"after"`
	Created    bool       `json:"created"`
	Forced     bool       `json:"forced"`
	Compare    string     `json:"compare"`
	Commits    []Commit   `json:"commits"`
	Repository Repository `json:"repository"`
	Sender     *User      `json:"sender"`
}

// Commit is a commit of a push.
type Commit struct {
	ID        string    `json:"id"`
	Message   string    `json:"message"`
	Timestamp time.Time `json:"timestamp"`
	URL       string    `json:"url"`
	Author    User      `json:"author"`
	Added     []string  `json:"added"`
	Removed   []string  `json:"removed"`
	Modified  []string  `json:"modified"`
}

// User is an author or a sender.
type User struct {
	Login string `json:"login,omitempty"`
	Name  string `json:"name,omitempty"`
	Email string `json:"email,omitempty"`
	ID    int64  `json:"id,omitempty"`
}

// Repository is where the push went.
type Repository struct {
	ID       int64             `json:"id"`
	FullName string            `json:"full_name"`
	Private  bool              `json:"private"`
	URL      string            `json:"html_url"`
	Stars    int               `json:"stargazers_count"`
	Labels   map[string]string `json:"labels,omitempty"`
}

// Notice is what subscribers get.
type Notice struct {
	Repository string    `json:"repository"`
	Branch     string    `json:"branch"`
	Who        string    `json:"who"`
	When       time.Time `json:"when"`
	Changes    []Change  `json:"changes"`
}

// Change is a commit of a notice.
type Change struct {
	Title string `json:"title"`
	Files int    `json:"files"`
	Link  string `json:"link"`
}

// Read reads a push.
func Read(body []byte) (*Push, error) {
	p := new(Push)
	if err := json.Unmarshal(body, p); err != nil {
		return nil, err
	}
	return p, nil
}

// Write writes a notice.
func Write(n *Notice) ([]byte, error) { return json.Marshal(n) }

// WritePush writes a push, as the forge does.
func WritePush(p *Push) ([]byte, error) { return json.Marshal(p) }
