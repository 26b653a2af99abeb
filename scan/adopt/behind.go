package adopt

import (
	"fmt"
	"go/types"

	"github.com/zmylab/zmy/scan/site"
)

// behind finds the types behind the interfaces at sites: those that callers pass to a function such
// as reply(w http.ResponseWriter, v any).
func (j *job) behind(files []*goFile) error {
	for _, f := range files {
		for _, u := range f.uses {
			if !u.open || u.stays() {
				continue
			}
			if err := j.findAll(); err != nil {
				return err
			}
			u.more = j.found[fmt.Sprintf("%s:%d", f.name, u.line)]
		}
	}
	return nil
}

// findAll finds all sites of the module, once. The copy is as the original then.
func (j *job) findAll() error {
	if j.found != nil {
		return nil
	}
	j.o.progress("looking for the types behind interfaces")
	res, err := site.Find(j.ctx, site.Config{Dir: j.t.dir, Tags: j.o.Tags, Env: j.o.env(j.t)})
	if j.ctx.Err() != nil {
		return j.ctx.Err()
	}
	j.found = map[string][]types.Type{}
	if err != nil { // the sites change all the same; their types are handled by reflection
		j.lost = "the types behind interfaces were not found, and are handled by reflection: " + j.t.shorten(firstLine(err.Error()))
		return nil
	}
	j.sites = res.Sites
	for _, s := range res.Sites {
		key := fmt.Sprintf("%s:%d", s.Pos.Filename, s.Pos.Line)
		for _, v := range s.Values {
			j.found[key] = append(j.found[key], v.Type)
		}
	}
	return nil
}
